// SPDX-License-Identifier: GPL-3.0-or-later
// The palette with colour blindness: hues with different meanings stay distinct.
#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/colour_science.h"
#include "viz/base/theme.h"

namespace tileloom {

using analysis::Matrix;
using test::apart;
using test::Sight;

class PaletteTest : public QObject {
  Q_OBJECT

  using Hue = std::pair<QString, QColor>;

  // In CIEDE2000. Side by side, 2 is visible at a glance; these hues are farther apart.
  static constexpr double kMeanings = 15;       // A, B, C and trouble; trouble and good
  static constexpr double kWarps = 10;          // warps among each other
  static constexpr double kWarpAndMatrix = 9;   // a warp never looks like a matrix,
  static constexpr double kWarpAndTrouble = 8;  // nor for trouble, which is a pattern besides

  static std::vector<Hue> meanings(const Theme& t) {
    return {{"A", t.matrix(Matrix::A)},
            {"B", t.matrix(Matrix::B)},
            {"C", t.matrix(Matrix::C)},
            {"trouble", t.trouble}};
  }
  static std::vector<Hue> warps(const Theme& t) {
    std::vector<Hue> hues;
    for (std::uint32_t w = 0; w < 8; ++w) hues.emplace_back(QString("warp %1").arg(w), t.warp(w));
    return hues;
  }
  static void differ(const Hue& x, const Hue& y, Sight sight, double least) {
    const double is = apart(x.second, y.second, sight);
    QVERIFY2(is >= least, qPrintable(QString("%1 and %2: %3").arg(x.first, y.first).arg(is)));
  }

  static void addSights() {
    QTest::addColumn<Look>("look");
    QTest::addColumn<Sight>("sight");
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      for (const Sight sight : test::kSights)
        QTest::addRow("%s, %s", nameOf(look).data(), nameOf(sight)) << look << sight;
    }
  }

 private slots:
  void meaningsDiffer_data() { addSights(); }
  void meaningsDiffer() {
    QFETCH(Look, look);
    QFETCH(Sight, sight);
    const Theme t = Theme::make(look);
    const auto hues = meanings(t);
    for (std::size_t i = 0; i < hues.size(); ++i) {
      for (std::size_t j = i + 1; j < hues.size(); ++j) differ(hues[i], hues[j], sight, kMeanings);
    }
    differ({"trouble", t.trouble}, {"good", t.good}, sight, kMeanings);
  }

  void warpsDiffer_data() { addSights(); }
  void warpsDiffer() {
    QFETCH(Look, look);
    QFETCH(Sight, sight);
    const Theme t = Theme::make(look);
    const auto hues = warps(t);
    for (std::size_t i = 0; i < hues.size(); ++i) {
      for (std::size_t j = i + 1; j < hues.size(); ++j) differ(hues[i], hues[j], sight, kWarps);
      for (const Hue& meaning : meanings(t)) {
        const bool trouble = meaning.first == "trouble";
        differ(hues[i], meaning, sight, trouble ? kWarpAndTrouble : kWarpAndMatrix);
      }
    }
  }

  // Pairs 1, 9, 14, 17 and 20 of the table that G. Sharma, W. Wu and E. N. Dalal published to
  // check an implementation by.
  void distancesAreThoseOfTheTable() {
    struct Pair {
      test::Triple one, two;
      double apart;
    };
    for (const Pair& p : {Pair{{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
                          {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}, 7.1792},
                          {{50, -0.0010, 2.4900}, {50, 0.0011, -2.4900}, 4.7461},
                          {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
                          {{50, 2.5, 0}, {58, 24, 15}, 19.4535}}) {
      const double is = test::ciede2000(p.one, p.two), back = test::ciede2000(p.two, p.one);
      QVERIFY2(std::abs(is - p.apart) < 1e-4, qPrintable(QString::number(is, 'f', 4)));
      QVERIFY(std::abs(is - back) < 1e-9);
    }
  }

  // Without the cone for long waves red and green of one lightness are one colour; without that for
  // short waves they stay two. Greys always stay grey.
  void conesAreMissed() {
    const QColor red(190, 90, 60), green(125, 125, 60);
    QVERIFY(apart(red, green, Sight::Usual) > 25);
    QVERIFY(apart(red, green, Sight::Tritanopia) > 0.5 * apart(red, green, Sight::Usual));
    QVERIFY(apart(red, green, Sight::Deuteranopia) < 0.5 * apart(red, green, Sight::Usual));
    QVERIFY(apart(red, green, Sight::Protanopia) < 0.5 * apart(red, green, Sight::Usual));
    for (const Sight sight : test::kSights) {
      const test::Triple grey = test::lab(test::seen(test::light(QColor(120, 120, 120)), sight));
      QVERIFY(std::hypot(grey[1], grey[2]) < 0.5);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PaletteTest, Widgets)
#include "palette_test.moc"
