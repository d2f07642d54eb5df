// SPDX-License-Identifier: GPL-3.0-or-later
// The bank view's geometry, without painting.
#include "viz/memory/bank_geometry.h"

#include <QtTest>
#include <algorithm>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom {

using analysis::kBanks;

class BankGeometryTest : public QObject {
  Q_OBJECT

  static BankInput anyInput(test::Random& random) {
    BankInput in;
    in.canvas = QRectF(random.integer(0, 20), random.integer(20, 60), random.integer(280, 2000),
                       random.integer(60, 900));
    in.text = random.integer(10, 24);
    in.leftLabel = random.integer(40, 110);
    in.rightLabel = 2;
    in.strips = static_cast<std::uint32_t>(random.oneIn(4) ? 0 : random.integer(1, 32));
    std::uint32_t row = 0;
    for (int n = random.integer(1, 32); n > 0; --n) {
      row += static_cast<std::uint32_t>(random.integer(random.oneIn(3) ? 2 : 1, 3));
      in.rows.push_back(row);
    }
    // The last row may be cut off by the end of memory.
    in.words = row * kBanks + static_cast<std::uint32_t>(random.integer(1, 32));
    return in;
  }

 private slots:
  void pointingFindsTheWord() {
    test::Random random(test::seed());
    for (int round = 0; round < 300; ++round) {
      const BankInput in = anyInput(random);
      const BankGeometry g(in);
      for (std::size_t i = 0; i < in.rows.size(); ++i) {
        for (std::uint32_t bank = 0; bank < kBanks; ++bank) {
          const std::uint32_t word = in.rows[i] * kBanks + bank;
          const auto cell = g.cellOfWord(word);
          QCOMPARE(cell.has_value(), i < g.shownRows());
          if (!cell) continue;
          QVERIFY(*cell == g.cell(i, bank));
          const auto there = g.wordAt(cell->center());
          if (word < in.words) {
            QVERIFY(there == word);
          } else {
            QVERIFY2(!there, "there is no memory here");
          }
        }
      }
    }
  }

  void whereThereIsNoCellThereIsNoWord() {
    BankInput in;
    in.canvas = QRectF(10, 30, 700, 200);
    in.rows = {2, 3, 7};
    in.words = 1024;
    in.strips = 4;
    const BankGeometry g(in);
    QVERIFY(!g.wordAt(g.cell(0, 0).topLeft() - QPointF(1, -2)));
    QVERIFY(!g.wordAt(g.cell(0, 0).topLeft() - QPointF(-2, 1)));
    QVERIFY(!g.wordAt(g.cell(0, 31).topRight() + QPointF(1, 2)));
    QVERIFY(!g.wordAt(g.cell(2, 5).bottomLeft() + QPointF(2, 1)));
    QVERIFY(!g.cellOfWord(4 * kBanks));  // between two rows that are shown
    QVERIFY(!g.cellOfWord(0));
    QVERIFY(!g.cellOfWord(8 * kBanks));
    QVERIFY(!BankGeometry().wordAt({0, 0}));
    QVERIFY(!BankGeometry().cellOfWord(0));
  }

  void everythingIsInTheCanvasOrCountedAsHidden() {
    test::Random random(test::seed());
    int hiddenRows = 0, hiddenStrips = 0, complete = 0;
    for (int round = 0; round < 2000; ++round) {
      const BankInput in = anyInput(random);
      const BankGeometry g(in);
      QVERIFY(g.shownRows() >= 1 && g.shownRows() <= in.rows.size());
      QVERIFY(g.shownStrips() <= in.strips);
      const QRectF canvas = in.canvas.adjusted(-1e-6, -1e-6, 1e-6, 1e-6);
      for (std::size_t r = 0; r < g.shownRows(); ++r) {
        QVERIFY(canvas.contains(g.cell(r, 0)) && canvas.contains(g.cell(r, 31)));
        QVERIFY(canvas.contains(g.rowLabel(r)));
      }
      for (std::uint32_t s = 0; s < g.shownStrips(); ++s) {
        QVERIFY(canvas.contains(g.strip(s)) && canvas.contains(g.stripLabel(s)));
        QVERIFY(g.strip(s).top() > g.cell(g.shownRows() - 1, 0).bottom());  // below the rows
      }
      QVERIFY(canvas.contains(g.bankLabel(0)) && canvas.contains(g.bankLabel(31)));
      QVERIFY(g.bottom() <= canvas.bottom());
      hiddenRows += g.shownRows() < in.rows.size() ? 1 : 0;
      hiddenStrips += g.shownStrips() < in.strips ? 1 : 0;
      complete += g.shownRows() == in.rows.size() && g.shownStrips() == in.strips ? 1 : 0;
    }
    QVERIFY(hiddenRows > 20 && hiddenStrips > 20 && complete > 200);  // all of it was tried
  }

  void cellsTileTheirRow() {
    BankInput in;
    in.canvas = QRectF(10, 30, 700, 200);
    in.rows = {0, 1};
    in.words = 64;
    in.strips = 2;
    const BankGeometry g(in);
    for (std::uint32_t bank = 1; bank < kBanks; ++bank) {
      QCOMPARE(g.cell(0, bank).left(), g.cell(0, bank - 1).right());
      QCOMPARE(g.stripCell(1, bank).left(), g.cell(0, bank).left());  // a bank is one column
      QCOMPARE(g.bankLabel(bank).left(), g.cell(0, bank).left());
    }
    QCOMPARE(g.cell(1, 0).top(), g.cell(0, 0).bottom());
  }

  void rowsOfHoldsEveryTouchedRow() {
    test::Random random(test::seed());
    for (int round = 0; round < 2000; ++round) {
      constexpr std::uint32_t kRows = 40;
      analysis::Moment m;
      m.width = 1u << random.integer(0, 2);
      m.instruction.mask =
          static_cast<std::uint32_t>(random.integer(0, 0xFFFF) << 16 | random.integer(0, 0xFFFF));
      if (random.oneIn(10)) m.instruction.mask = 0;
      const int last = static_cast<int>(kRows * kBanks - m.width);
      for (std::uint32_t& address : m.cost.addresses) {
        address = static_cast<std::uint32_t>(random.integer(random.oneIn(2) ? last - 90 : 0, last));
      }
      const auto least = static_cast<std::uint32_t>(random.integer(1, 60));
      const auto rows = BankGeometry::rowsOf(m, kRows * kBanks, least);
      QVERIFY(std::ranges::is_sorted(rows) && std::ranges::adjacent_find(rows) == rows.end());
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((m.instruction.mask >> lane & 1u) == 0) continue;
        for (std::uint32_t w = 0; w < m.width; ++w) {
          const std::uint32_t row = (m.cost.addresses[lane] + w) / kBanks;
          QVERIFY(std::ranges::binary_search(rows, row));
        }
      }
      if (m.instruction.mask == 0) {
        QVERIFY(rows.empty());
      } else {
        QVERIFY(rows.back() < kRows);
        // Neighbours on both sides fill up the number, unless none are left.
        const bool allAround = rows.front() == 0 && rows.back() == kRows - 1;
        QVERIFY(rows.size() >= std::min(least, kRows) || allAround);
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BankGeometryTest, Nothing)
#include "bank_geometry_test.moc"
