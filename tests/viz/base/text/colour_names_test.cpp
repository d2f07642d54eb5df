// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour has one name, which says of what theme colour it is a shade.
#include "viz/base/text/colour_names.h"

#include <QRegularExpression>
#include <QSet>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class ColourNamesTest : public QObject {
  Q_OBJECT

 private slots:
  void theThemesOwn() {
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      const Theme t = Theme::make(look);
      ColourNames names(t);
      QCOMPARE(names.of(t.matrix(analysis::Matrix::A)).name, QString("A"));
      QCOMPARE(names.of(t.matrix(analysis::Matrix::B)).name, QString("B"));
      QCOMPARE(names.of(t.matrix(analysis::Matrix::C)).name, QString("C"));
      QCOMPARE(names.of(t.trouble).name, QString("trouble"));
      QCOMPARE(names.of(t.ground).name, QString("ground"));
      for (std::uint32_t w = 0; w < 8; ++w)
        QCOMPARE(names.of(t.warp(w)).name, QString("warp-%1").arg(w));
      QCOMPARE(names.of(t.warp(9)).name, QString("warp-1"));  // the hues begin again
    }
  }

  void shadesSayOfWhat() {
    const Theme t = Theme::make(Look::Light);
    ColourNames names(t);
    const QColor a = t.matrix(analysis::Matrix::A);
    QCOMPARE(names.of(Theme::mix(t.ground, a, 0.42)).name, QString("A-42"));
    QCOMPARE(names.of(Theme::mix(t.text, a, 0.8)).name, QString("A-80-on-text"));
    QCOMPARE(names.of(t.evenLane(3, 5)).name, QString("warp-3-lane-5"));
    // Half of a lane may be half of its neighbour, to the last digit.
    const QString half = names.of(Theme::mix(t.ground, t.evenLane(3, 5), 0.5)).name;
    QVERIFY2(half.startsWith("warp-3-lane-") && half.endsWith("-50"), qPrintable(half));
    // Opacity is not part of a colour.
    QCOMPARE(names.of(Theme::faded(a, 0.3)).name, QString("A"));
    // A mix of three belongs to the hue that it resembles.
    const QColor three =
        Theme::mix(Theme::mix(t.ground, a, 0.5), t.matrix(analysis::Matrix::C), 0.1);
    QVERIFY2(names.of(three).name.startsWith("A-like-"), qPrintable(names.of(three).name));
    QVERIFY(names.of(QColor(0x777777)).name.size() > 0);
  }

  void noTwoColoursHaveOneName() {
    ColourNames names(Theme::make(Look::Dark));
    QSet<QString> seen;
    int colours = 0;
    static const QRegularExpression word("^[A-Za-z][A-Za-z0-9_-]*$");  // as style sheets demand
    for (int r = 0; r < 256; r += 15) {
      for (int g = 0; g < 256; g += 15) {
        for (int b = 0; b < 256; b += 15) {
          const QString name = names.of(QColor(r, g, b)).name;
          QVERIFY2(word.match(name).hasMatch(), qPrintable(name));
          seen.insert(name);
          ++colours;
        }
      }
    }
    QCOMPARE(static_cast<int>(seen.size()), colours);
  }

  // The shades of a base are below it.
  void basesComeBeforeTheirShades() {
    const Theme t = Theme::make(Look::Light);
    ColourNames names(t);
    const QColor b = t.matrix(analysis::Matrix::B);
    names.of(t.text);
    names.of(Theme::mix(t.ground, b, 0.14));
    names.of(Theme::mix(t.ground, b, 0.42));
    QStringList lines;
    for (const ColourNames::Line& line : names.used()) lines += line.name.name;
    QCOMPARE(lines, QStringList({"B", "B-42", "B-14", "text"}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ColourNamesTest, Widgets)
#include "colour_names_test.moc"
