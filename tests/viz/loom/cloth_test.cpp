// SPDX-License-Identifier: GPL-3.0-or-later
// Brightness in the cloth says how many products a sum holds, and nothing else.
#include "viz/loom/cloth.h"

#include <QtTest>

#include "kernels/analysis/recording.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/viz/colour_science.h"
#include "viz/loom/loom_frame.h"

namespace tileloom {

using test::luminance;

class ClothTest : public QObject {
  Q_OBJECT

  static void addThemes() {
    QTest::addColumn<Look>("look");
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast})
      QTest::newRow(nameOf(look).data()) << look;
  }

  static QImage cloth(const test::RecordingPointer& r, std::uint32_t warp, std::uint32_t index) {
    const Scene scene = makeScene(r, warp, index);
    analysis::Progress progress(r);
    progress.goTo(warp, index);
    const QRectF block(0, 0, 256, 256);
    return clothPicture(scene, progress, Theme::make(true), block, block, 1.0).image;
  }

 private slots:
  void allLanesAreAsBright_data() { addThemes(); }
  void allLanesAreAsBright() {
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      const double bright = luminance(t.warp(warp));
      QColor before;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const QColor shade = t.evenLane(warp, lane);
        QVERIFY(std::abs(luminance(shade) - bright) < 0.01);
        QVERIFY(shade != before);
        before = shade;
      }
      QCOMPARE(before.rgb(), t.warp(warp).rgb());
    }
  }

  // A sum without products is nearly the ground; each product takes it further from there.
  void brightnessIsProducts_data() { addThemes(); }
  void brightnessIsProducts() {
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
    const QColor lane = t.evenLane(0, 31);
    QVERIFY(test::contrast(sumColour(t, lane, 0), t.ground) < 1.35);
    double last = 0;
    for (const std::uint32_t products : {0u, 1u, 2u, 4u, 16u, 64u, 512u, 2048u}) {
      const double solid = solidity(products, 2048);
      const double now = test::contrast(sumColour(t, lane, solid), t.ground);
      QVERIFY(now > last);
      last = now;
      // The lines between threads can be seen on it.
      QVERIFY(seamColour(t, lane, solid) != sumColour(t, lane, solid));
    }
  }

  // A wgmma lights up all warps of its group: each keeps its hue then, and differs from an idle
  // one.
  void glowingWarpsStayApart_data() { addThemes(); }
  void glowingWarpsStayApart() {
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
    constexpr double kApart = 6, kLit = 4;  // in CIEDE2000, where 2 is seen at a glance
    for (const double solid : {0.0, 0.3, 0.6, 0.9}) {
      std::vector<QColor> lit;
      for (std::uint32_t warp = 0; warp < 8; ++warp) {
        const QColor rests = sumColour(t, t.warp(warp), solid);
        lit.push_back(glowing(t, rests, warp, 1));
        QCOMPARE(glowing(t, rests, warp, 0), rests);
        const double away = test::apart(lit.back(), rests, test::Sight::Usual);
        QVERIFY2(away >= kLit,
                 qPrintable(QString("warp %1 at %2: %3").arg(warp).arg(solid).arg(away)));
      }
      for (std::size_t i = 0; i < lit.size(); ++i) {
        for (std::size_t j = i + 1; j < lit.size(); ++j) {
          const double away = test::apart(lit[i], lit[j], test::Sight::Usual);
          QVERIFY2(
              away >= kApart,
              qPrintable(QString("warps %1 and %2 at %3: %4").arg(i).arg(j).arg(solid).arg(away)));
        }
      }
    }
  }

  // The choice of the watched warp changes nothing.
  void watchedWarpsAreAsBright() {
    const auto r = test::recorded({.stage = "warptiled"});
    QVERIFY(cloth(r, 0, 0) == cloth(r, 3, 0));
    QVERIFY(cloth(r, 0, 0) != cloth(r, 0, 2000));
  }

  // Each picture has a legend of the brightness: beside the matrices or below them.
  void theScaleIsAlwaysThere() {
    const Fonts fonts = Fonts::of(QGuiApplication::font());
    for (const QSizeF size : {QSizeF(1300, 700), QSizeF(700, 900), QSizeF(900, 600)}) {
      for (const double aspect : {0.7, 1.0, 1.9}) {
        const LoomFrame f = LoomFrame::of(QRectF({}, size), fonts, aspect);
        QVERIFY(f.side.isEmpty() != f.legend.isEmpty());
        QVERIFY(!f.legend.intersects(f.caption) && !f.legend.intersects(f.viewport));
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ClothTest, Widgets)
#include "cloth_test.moc"
