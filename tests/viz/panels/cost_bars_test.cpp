// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/cost_bars.h"

#include <QSignalSpy>
#include <QtTest>
#include <algorithm>
#include <cstdlib>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"

namespace tileloom {

class CostBarsTest : public QObject {
  Q_OBJECT
 private slots:
  void aClickLeadsToTheLine() {
    CostBars bars;
    QCOMPARE(bars.sizeHint().height(), 0);
    bars.setBars({{"waiting at barriers", 0.2, true, "counted", "A K tile ends …", 44},
                  {"the tail wave", 0.1, false, "predicted", "The last wave …", 0}});
    QVERIFY(bars.sizeHint().height() > 40);
    QVERIFY(test::shown(bars, {340, 120}));
    QSignalSpy asked(&bars, &CostBars::lineAsked);
    test::clickAt(bars, bars.rowRect(0).center());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toInt(), 44);
    test::clickAt(bars, bars.rowRect(1).center());  // it has no line
    test::clickAt(bars, {170, 119});
    QCOMPARE(asked.size(), 1);
  }

  // A whole groove is the whole time.
  void lengthsAreShares() {
    CostBars bars;
    bars.setBars({{"a", 0.4, true, {}, {}, 0}, {"b", 0.1, true, {}, {}, 0}});
    QVERIFY(test::shown(bars, {340, 120}));
    const QImage image = bars.grab().toImage();
    const auto filledTo = [&](int bar) {
      // The groove is the row of pixels with the fewest colours; its end is where they change.
      int most = 0;
      const QRect row = bars.rowRect(bar).toAlignedRect();
      for (int y = row.top(); y < std::min(row.bottom(), image.height()); ++y) {
        const QColor first = image.pixelColor(1, y);
        if (first == image.pixelColor(row.width() / 2, 119)) continue;
        int x = 1;
        while (x < image.width() && image.pixelColor(x, y) == first) ++x;
        most = std::max(most, x);
      }
      return most;
    };
    QVERIFY(std::abs(filledTo(0) - 136) <= 2);
    QVERIFY(std::abs(filledTo(1) - 34) <= 2);
  }

  // Time saved to the left of the middle, time added to the right, on one scale.
  void changesHaveTwoSides() {
    CostBars bars;
    CostBar less{"a", -0.2, true, {}, {}, 0}, more{"b", 0.1, true, {}, {}, 0};
    less.change = more.change = true;
    bars.setBars({less, more});
    QVERIFY(test::shown(bars, {340, 120}));
    const QImage image = bars.grab().toImage();
    const auto extent = [&](int bar) {
      const QRect row = bars.rowRect(bar).toAlignedRect();
      const QRgb ground = image.pixel(row.width() / 2, 119);
      int left = row.width(), right = 0;
      for (int y = row.top(); y < row.bottom(); ++y) {
        // A row of the groove: its empty side differs from the ground.
        const QRgb well = image.pixel(bar == 0 ? row.width() - 1 : 0, y);
        if (well == ground || image.pixel(row.width() / 4 * (bar == 0 ? 3 : 1), y) != well)
          continue;
        for (int x = 0; x < row.width(); ++x) {
          if (image.pixel(x, y) == well) continue;
          left = std::min(left, x);
          right = std::max(right, x);
        }
      }
      return std::pair(left, right);
    };
    const auto [savedFrom, savedTo] = extent(0);
    QVERIFY(savedFrom <= 2 && std::abs(savedTo - 170) <= 2);
    const auto [addedFrom, addedTo] = extent(1);
    QVERIFY(std::abs(addedFrom - 170) <= 2 && std::abs(addedTo - 255) <= 2);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::CostBarsTest, Widgets)
#include "cost_bars_test.moc"
