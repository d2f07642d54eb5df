// SPDX-License-Identifier: GPL-3.0-or-later
// Few rectangles that are the same cells: each cell once, with its value.
#include "viz/base/paint/cell_rects.h"

#include <QRandomGenerator>
#include <QtTest>
#include <cmath>

#include "tests/support/test_class.h"

namespace tileloom {

class CellRectsTest : public QObject {
  Q_OBJECT

  using Cells = std::vector<std::uint32_t>;

  static std::size_t count(const std::map<std::uint32_t, CellRects>& rects) {
    std::size_t all = 0;
    for (const auto& [value, each] : rects) all += each.size();
    return all;
  }
  static std::map<std::uint32_t, CellRects> merged(const Cells& cells, int columns) {
    return cellRects(columns, static_cast<int>(cells.size()) / columns, [&](int x, int y) {
      return cells[static_cast<std::size_t>(y * columns + x)];
    });
  }

 private slots:
  void eachCellIsThereOnce() {
    QRandomGenerator random(7);
    for (int values = 1; values <= 5; ++values) {
      constexpr int kColumns = 23, kRows = 17;
      Cells cells(kColumns * kRows);
      for (auto& cell : cells) cell = random.bounded(static_cast<quint32>(values));
      Cells painted(cells.size(), 99);
      for (const auto& [value, rects] : merged(cells, kColumns)) {
        for (const QRect& r : rects) {
          for (int y = r.top(); y <= r.bottom(); ++y) {
            for (int x = r.left(); x <= r.right(); ++x) {
              auto& cell = painted[static_cast<std::size_t>(y * kColumns + x)];
              QCOMPARE(cell, 99u);
              cell = value;
            }
          }
        }
      }
      QCOMPARE(painted, cells);
    }
  }

  void equalCellsAreOne() {
    QCOMPARE(count(merged(Cells(10000, 3), 100)), 1u);
    // Subtiles of 8 x 4, two values in turn.
    Cells tiles(64 * 64);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x)
        tiles[static_cast<std::size_t>(y * 64 + x)] =
            static_cast<std::uint32_t>((x / 8 + y / 4) % 2);
    }
    QCOMPARE(count(merged(tiles, 64)), 8u * 16u);
  }

  void theGridShowsWhatIsVisible() {
    const CellGrid grid(QRectF(10, 20, 100, 50), QRectF(35, 0, 30, 100), 10, 5);
    QCOMPARE(grid.columns(), 4);  // cells 2 to 5: the first and the last are cut
    QCOMPARE(grid.rows(), 5);
    QCOMPARE(grid.column(0), 2);
    QCOMPARE(grid.column(3), 5);
    QCOMPARE(grid.rect({0, 0, 4, 5}), QRectF(35, 20, 30, 50));
    QCOMPARE(grid.rect({1, 1, 1, 1}), QRectF(40, 30, 10, 10));
    QCOMPARE(CellGrid(QRectF(0, 0, 10, 10), QRectF(20, 20, 5, 5), 3, 3).columns(), 0);
  }

  // Cells too small to distinguish are merged.
  void tinyCellsAreTakenTogether() {
    const QRectF whole(0, 0, 40, 40);
    const CellGrid grid(whole, whole, 1000, 1000);
    QCOMPARE(grid.columns(), 80);
    QVERIFY(grid.column(79) > 980 && grid.column(79) < 1000);
    QCOMPARE(grid.rect({0, 0, 80, 80}), whole);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::CellRectsTest, Nothing)
#include "cell_rects_test.moc"
