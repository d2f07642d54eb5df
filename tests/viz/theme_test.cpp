// SPDX-License-Identifier: GPL-3.0-or-later
// The visual language in numbers: text can be read, and hues that mean different things differ.
#include "viz/theme.h"

#include <QGuiApplication>
#include <QtTest>
#include <cmath>

namespace tileloom {

using analysis::Matrix;

class ThemeTest : public QObject {
  Q_OBJECT

  static double linear(float channel) {
    const double c = static_cast<double>(channel);
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  static double luminance(const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
  }
  // The contrast ratio of the Web Content Accessibility Guidelines, 1 to 21.
  static double contrast(const QColor& x, const QColor& y) {
    const double a = luminance(x), b = luminance(y);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
  }
  // A cheap perceptual distance of colours ("redmean"), 0 to about 765.
  static double distance(const QColor& x, const QColor& y) {
    const double red = (x.red() + y.red()) / 2.0;
    const double r = x.red() - y.red(), g = x.green() - y.green(), b = x.blue() - y.blue();
    return std::sqrt((2 + red / 256) * r * r + 4 * g * g + (2 + (255 - red) / 256) * b * b);
  }

  static void addThemes() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
  }

 private slots:
  void textCanBeRead_data() { addThemes(); }
  void textCanBeRead() {
    QFETCH(bool, dark);
    const Theme t = Theme::make(dark);
    constexpr double kReadable = 4.5;  // the guidelines' AA for text of normal size
    for (const QColor& background : {t.ground, t.panel}) {
      QVERIFY(contrast(t.text, background) >= kReadable);
      QVERIFY(contrast(t.soft, background) >= kReadable);
      QVERIFY(contrast(t.trouble, background) >= kReadable);
      QVERIFY(contrast(t.good, background) >= kReadable);
    }
    QVERIFY(contrast(t.text, t.well) >= kReadable);
    QVERIFY(contrast(t.soft, t.well) >= kReadable);
    const QPalette p = t.palette();
    for (const auto& [text, ground] : {std::pair{QPalette::WindowText, QPalette::Window},
                                       {QPalette::Text, QPalette::Base},
                                       {QPalette::ButtonText, QPalette::Button},
                                       {QPalette::HighlightedText, QPalette::Highlight},
                                       {QPalette::ToolTipText, QPalette::ToolTipBase}}) {
      QVERIFY2(contrast(p.color(text), p.color(ground)) >= kReadable,
               qPrintable(QString::number(text)));
    }
  }

  // Lane numbers stand on lane colours.
  void laneNumbersCanBeRead_data() { addThemes(); }
  void laneNumbersCanBeRead() {
    QFETCH(bool, dark);
    const Theme t = Theme::make(dark);
    double least = 21;
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const QColor shade = t.lane(warp, lane);
        least = std::min(least, contrast(Theme::ink(shade), shade));
      }
    }
    QVERIFY2(least >= 3.0, qPrintable(QString::number(least)));
  }

  void huesDiffer_data() { addThemes(); }
  void huesDiffer() {
    QFETCH(bool, dark);
    const Theme t = Theme::make(dark);
    constexpr double kApart = 60;
    std::vector<std::pair<QString, QColor>> hues;
    for (const Matrix m : {Matrix::A, Matrix::B, Matrix::C}) {
      hues.emplace_back(QString("matrix %1").arg(static_cast<int>(m)), t.matrix(m));
    }
    for (std::uint32_t w = 0; w < 8; ++w) hues.emplace_back(QString("warp %1").arg(w), t.warp(w));
    for (std::size_t i = 0; i < hues.size(); ++i) {
      for (std::size_t j = i + 1; j < hues.size(); ++j) {
        const double apart = distance(hues[i].second, hues[j].second);
        QVERIFY2(apart >= kApart,
                 qPrintable(QString("%1 and %2: %3").arg(hues[i].first, hues[j].first).arg(apart)));
      }
      QVERIFY(contrast(hues[i].second, t.ground) >= 1.9);
    }
  }

  // A lane is a shade of its warp, and lanes gain contrast as they count up.
  void lanesAreShadesOfTheirWarp_data() { addThemes(); }
  void lanesAreShadesOfTheirWarp() {
    QFETCH(bool, dark);
    const Theme t = Theme::make(dark);
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      QCOMPARE(t.lane(warp, 31).rgb(), t.warp(warp).rgb());
      for (std::uint32_t lane = 1; lane < 32; ++lane) {
        QVERIFY(contrast(t.lane(warp, lane), t.ground) >
                contrast(t.lane(warp, lane - 1), t.ground));
      }
    }
    QCOMPARE(t.warp(8), t.warp(0));  // the set begins again
  }

  void themesFollowThePalette() {
    for (const bool dark : {true, false}) {
      const Theme t = Theme::make(dark);
      QCOMPARE(Theme::of(t.palette()).dark, dark);
      QCOMPARE(t.palette().color(QPalette::Window), t.panel);
      QCOMPARE(t.troublePattern().style(), Qt::BDiagPattern);  // never colour alone
    }
  }

  void mixing() {
    QCOMPARE(Theme::mix(Qt::black, Qt::white, 0.0), QColor(Qt::black));
    QCOMPARE(Theme::mix(Qt::black, Qt::white, 1.0), QColor(Qt::white));
    QCOMPARE(Theme::mix(QColor(10, 20, 30), QColor(30, 40, 50), 0.5).rgb(), qRgb(20, 30, 40));
    QVERIFY(luminance(Theme::ink(Qt::white)) < 0.1);
    QVERIFY(luminance(Theme::ink(Qt::black)) > 0.9);
  }

  // All sizes come from the widget's own font, in whichever unit it has one.
  void fontsScale() {
    for (const int size : {9, 12, 24}) {
      QFont pixels;
      pixels.setPixelSize(size);
      QFont points;
      points.setPointSizeF(size);
      const Fonts p = Fonts::of(pixels), q = Fonts::of(points);
      QVERIFY(p.small.pixelSize() < p.body.pixelSize() && p.title.pixelSize() > size);
      QVERIFY(p.number.pixelSize() > p.title.pixelSize());
      QVERIFY(q.small.pointSizeF() < size && q.number.pointSizeF() > 1.5 * size);
    }
  }
};

}  // namespace tileloom

QTEST_MAIN(tileloom::ThemeTest)
#include "theme_test.moc"
