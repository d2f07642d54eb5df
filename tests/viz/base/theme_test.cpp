// SPDX-License-Identifier: GPL-3.0-or-later
// The visual language in numbers: text can be read, and hues that mean different things differ.
#include "viz/base/theme.h"

#include <QGuiApplication>
#include <QtTest>
#include <cmath>

#include "tests/support/test_class.h"
#include "tests/viz/colour_science.h"

namespace tileloom {

using analysis::Matrix;
using test::contrast;
using test::luminance;

class ThemeTest : public QObject {
  Q_OBJECT

  // A cheap perceptual distance of colours ("redmean"), 0 to about 765.
  static double distance(const QColor& x, const QColor& y) {
    const double red = (x.red() + y.red()) / 2.0;
    const double r = x.red() - y.red(), g = x.green() - y.green(), b = x.blue() - y.blue();
    return std::sqrt((2 + red / 256) * r * r + 4 * g * g + (2 + (255 - red) / 256) * b * b);
  }

  static void addThemes() {
    QTest::addColumn<Look>("look");
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast})
      QTest::newRow(nameOf(look).data()) << look;
  }

 private slots:
  // Text of one ink on grounds of every brightness: grounds that are too similar change.
  void groundsGiveWayToTheInk() {
    for (int grey = 0; grey < 256; grey += 5) {
      const QColor ground(grey, grey / 2, 255 - grey);
      for (const QColor& ink : {QColor(Qt::black), QColor(Qt::white)}) {
        const QColor under = Theme::under(ink, ground);
        QVERIFY(contrast(ink, under) >= 4.5);
        if (contrast(ink, ground) >= 4.5) QCOMPARE(under, ground);
      }
    }
    QCOMPARE(Theme::contrast(Qt::black, Qt::white), 21.0);
  }

  void textCanBeRead_data() { addThemes(); }
  void textCanBeRead() {
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
    // The guidelines' AA for text of normal size, and AAA for high contrast.
    const bool stark = look == Look::Contrast;
    const double text = stark ? 7.0 : 4.5, ticks = stark ? 4.5 : 3.0;
    const auto readable = [](const char* what, const QColor& ink, const QColor& ground,
                             double least) {
      const double is = contrast(ink, ground);
      QVERIFY2(is >= least,
               qPrintable(QString("%1 %2 on %3: %4").arg(what, ink.name(), ground.name()).arg(is)));
    };
    for (const QColor& ground : {t.ground, t.panel, t.well}) {
      readable("text", t.text, ground, text);
      readable("soft", t.soft, ground, text);
      readable("faint", t.faint, ground, ticks);
    }
    for (const QColor& ground : {t.ground, t.panel}) {
      readable("trouble", t.trouble, ground, 4.5);
      readable("good", t.good, ground, 4.5);
    }
    const QPalette p = t.palette();
    for (const auto& [ink, ground] : {std::pair{QPalette::WindowText, QPalette::Window},
                                      {QPalette::Text, QPalette::Base},
                                      {QPalette::ButtonText, QPalette::Button},
                                      {QPalette::HighlightedText, QPalette::Highlight},
                                      {QPalette::ToolTipText, QPalette::ToolTipBase}}) {
      readable("palette", p.color(ink), p.color(ground), text);
    }
  }

  // The colours of pictures differ from their ground, in high contrast also the lines.
  void shapesCanBeSeen_data() { addThemes(); }
  void shapesCanBeSeen() {
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
    const bool stark = look == Look::Contrast;
    for (const Matrix m : {Matrix::A, Matrix::B, Matrix::C})
      QVERIFY(contrast(t.matrix(m), t.ground) >= (stark ? 7.0 : 3.0));
    QVERIFY(contrast(t.accent, t.ground) >= 7.0);
    if (!stark) return;
    QVERIFY(contrast(t.line, t.ground) >= 4.5);
    for (std::uint32_t w = 0; w < 8; ++w) QVERIFY(contrast(t.warp(w), t.ground) >= 4.5);
    const Theme usual = Theme::make(Look::Dark);
    for (const Matrix m : {Matrix::B, Matrix::C})
      QVERIFY(luminance(t.matrix(m)) > luminance(usual.matrix(m)));
  }

  // Lane numbers are on lane colours.
  void laneNumbersCanBeRead_data() { addThemes(); }
  void laneNumbersCanBeRead() {
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
    double least = 21;
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const QColor shade = t.lane(warp, lane);
        least = std::min(least, contrast(Theme::ink(shade), shade));
      }
    }
    QVERIFY2(least >= 4.5, qPrintable(QString::number(least)));
  }

  void huesDiffer_data() { addThemes(); }
  void huesDiffer() {
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
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
    QFETCH(Look, look);
    const Theme t = Theme::make(look);
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
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      const Theme t = Theme::make(look);
      QCOMPARE(Theme::of(t.palette()).look, look);
      QCOMPARE(t.dark, look != Look::Light);
      QCOMPARE(t.palette().color(QPalette::Window), t.panel);
      QCOMPARE(t.troublePattern().style(), Qt::BDiagPattern);  // never colour alone
    }
    // The desktop's own palettes.
    QPalette desktop;
    for (const auto& [window, look] : {std::pair{QColor(0, 0, 0), Look::Contrast},
                                       {QColor(1, 1, 1), Look::Dark},
                                       {QColor(43, 43, 43), Look::Dark},
                                       {QColor(239, 239, 239), Look::Light}}) {
      desktop.setColor(QPalette::Window, window);
      QCOMPARE(Theme::of(desktop).look, look);
    }
  }

  void namesOfThemes() {
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast})
      QVERIFY(lookNamed(nameOf(look)) == look);
    QVERIFY(!lookNamed("pink") && !lookNamed("") && !lookNamed("Dark"));
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

TILELOOM_TEST(tileloom::ThemeTest, Widgets)
#include "theme_test.moc"
