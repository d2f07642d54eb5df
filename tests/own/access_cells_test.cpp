// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a picture of an access: each word of each lane once, and the lanes that collide.
#include "kernels/own/access_cells.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

class AccessCellsTest : public QObject {
  Q_OBJECT

  static PatternAccess made(const PatternRequest& request) {
    return accessPattern(request)->accesses.at(0);
  }

 private slots:
  void banks() {
    const auto cells = bankCells(made({.text = "lane * 16"}), 4);
    QCOMPARE(cells.size(), std::size_t(32));
    QCOMPARE(cells[0].wavefront, 0u);
    QCOMPARE(cells[0].bank, 0u);
    QCOMPARE(cells[1].bank, 16u);
    QCOMPARE(cells[1].address, std::int64_t{64});
    QCOMPARE(cells[1].lanes, 2u);
    QVERIFY(!cells[1].extra);
    QCOMPARE(cells[2].wavefront, 1u);
    QVERIFY(cells[2].extra);
    QCOMPARE(cells[2].firstLane(), 2u);
  }
  void wordsOfSeveralLanes() {
    const auto cells = bankCells(made({.text = "lane / 8"}), 4);
    QCOMPARE(cells.size(), std::size_t(4));
    QCOMPARE(cells[1].lanes, 0xFF00u);
  }
  void conflicts() {
    const auto found = bankConflicts(made({.text = "lane * 16"}), 4);
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[1].bank, 16u);
    QCOMPARE(found[1].ways, 16u);
    QCOMPARE(found[1].lanes, 0xAAAAAAAAu);
    QVERIFY(bankConflicts(made({.text = "lane * 17"}), 4).empty());
    // Four quarter warps, each with conflicts in four banks.
    QCOMPARE(bankConflicts(made({.text = "lane * 8", .bytes = 16}), 16).size(), std::size_t(16));
  }
  void sectors() {
    const auto cells = sectorCells(made({.text = "lane * 3", .memory = PatternMemory::Global}), 4);
    QCOMPARE(cells.size(), std::size_t(12));
    QCOMPARE(cells[0].lanes, 0b111u);
    QCOMPARE(cells[0].bytes, 12u);
    QCOMPARE(cells[5].line(), std::int64_t{1});
    QCOMPARE(cells[5].column(), 1u);
  }
  void bits() {
    QCOMPARE(q(bitsText(0)), "");
    QCOMPARE(q(bitsText(0xFFFFFFFF)), "0-31");
    QCOMPARE(q(bitsText(0x80000013)), "0, 1, 4, 31");
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::AccessCellsTest, Nothing)
#include "access_cells_test.moc"
