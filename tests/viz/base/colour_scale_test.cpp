// SPDX-License-Identifier: GPL-3.0-or-later
// The colour scale for quantities: even in lightness, readable with colour blindness.
#include "viz/base/colour_scale.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/colour_science.h"

namespace tileloom {

using test::Sight;

class ColourScaleTest : public QObject {
  Q_OBJECT

  static constexpr int kSteps = 12;
  // In CIEDE2000, between neighbours of this many steps; about 1 is visible side by side.
  static constexpr double kNeighbours = 3.0;

  static void addSights() {
    QTest::addColumn<Look>("look");
    QTest::addColumn<Sight>("sight");
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      for (const Sight sight : test::kSights)
        QTest::addRow("%s, %s", nameOf(look).data(), nameOf(sight)) << look << sight;
    }
  }
  static double lightness(const QColor& colour, Sight sight = Sight::Usual) {
    return test::lab(test::seen(test::light(colour), sight))[0];
  }
  static QColor at(int step, const Theme& theme) {
    return scaleColour(static_cast<double>(step) / kSteps, theme);
  }

 private slots:
  void lightnessRisesEvenly() {
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      const Theme theme = Theme::make(look);
      const double whole = lightness(at(kSteps, theme)) - lightness(at(0, theme));
      QVERIFY(std::abs(whole) > 60);
      QVERIFY((whole > 0) == theme.dark);
      for (int i = 0; i < kSteps; ++i) {
        const double step = lightness(at(i + 1, theme)) - lightness(at(i, theme));
        const double share = step / (whole / kSteps);
        QVERIFY2(share > 0.9 && share < 1.1, qPrintable(QString("step %1: %2").arg(i).arg(share)));
      }
    }
  }

  void neighboursDiffer_data() { addSights(); }
  void neighboursDiffer() {
    QFETCH(Look, look);
    QFETCH(Sight, sight);
    const Theme theme = Theme::make(look);
    for (int i = 0; i < kSteps; ++i) {
      const double is = test::apart(at(i, theme), at(i + 1, theme), sight);
      QVERIFY2(is >= kNeighbours, qPrintable(QString("step %1: %2").arg(i).arg(is)));
      // Lightness alone keeps the order.
      const double step = lightness(at(i + 1, theme), sight) - lightness(at(i, theme), sight);
      QVERIFY2(theme.dark ? step > 1 : step < -1, qPrintable(QString::number(step)));
    }
  }

  void numbersCanBeRead() {
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      const Theme theme = Theme::make(look);
      for (int i = 0; i <= 200; ++i) {
        const QColor fill = scaleColour(i / 200.0, theme);
        QVERIFY(test::contrast(fill, Theme::ink(fill)) >= 4.5);
      }
    }
  }

  void theFastestStandsOutMost() {
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      const Theme theme = Theme::make(look);
      const double fast = test::contrast(scaleColour(1, theme), theme.panel);
      QVERIFY(fast >= 4.5);
      QVERIFY(fast > 3 * test::contrast(scaleColour(0, theme), theme.panel));
    }
  }

  void beyondTheEndsAreTheEnds() {
    const Theme theme = Theme::make(Look::Dark);
    QCOMPARE(scaleColour(-1, theme), scaleColour(0, theme));
    QCOMPARE(scaleColour(2, theme), scaleColour(1, theme));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ColourScaleTest, Nothing)
#include "colour_scale_test.moc"
