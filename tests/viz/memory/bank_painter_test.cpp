// SPDX-License-Identifier: GPL-3.0-or-later
// The words that the bank view paints: complete, alike for alike words, and beside each other.
#include "viz/memory/bank_painter.h"

#include <QtTest>
#include <algorithm>

#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/viz/painted_texts.h"
#include "viz/memory/bank_picture.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::PaintedText;

class BankPainterTest : public QObject {
  Q_OBJECT

  // The first access of this kind to the array by warp 0.
  static Scene sceneOf(const test::Take& take, Kind kind, std::string_view array) {
    const auto r = test::recorded(take);
    return makeScene(r, 0, indexOf(*r, 0, [&](const Instruction& i) {
                       return i.kind == kind && r->trace.arrays[i.array].name == array;
                     }));
  }

  struct Painted {
    BankPicture picture;
    std::vector<PaintedText> texts;
  };
  static Painted painted(const Scene& scene, const QSize& size) {
    const Fonts fonts = Fonts::of(QFont());
    Painted result{bankPicture(scene, QRectF(QPointF(), size), fonts), {}};
    test::TextRecorder recorder(size);
    QPainter painter(&recorder);
    paintBanks(painter, result.picture, scene, Theme::make(Look::Light), fonts);
    painter.end();
    result.texts = recorder.texts();
    return result;
  }
  static QString allOf(const Painted& p) {
    QStringList all;
    for (const PaintedText& text : p.texts) all += text.text;
    return all.join(u' ').simplified().replace(QChar::Nbsp, u' ');
  }

 private slots:
  // Half of a laptop's picture: the verdict is complete, and so is the legend.
  void aNarrowPictureSaysItAll() {
    for (const char* stage : {"naive", "coalesced"}) {
      const Painted p = painted(sceneOf({.stage = stage}, Kind::GlobalLoad, "A"), {335, 240});
      const QRectF footer = p.picture.frame.footer;
      QString verdict;
      for (const PaintedText& text : p.texts) {
        if (text.ink.center().y() > footer.top() - 2 && text.ink.center().y() < footer.bottom() + 2)
          verdict += text.text + u' ';
      }
      QVERIFY2(!verdict.contains(u'…'), qPrintable(verdict));
      const QString all = allOf(p);
      QVERIFY2(all.contains("sectors"), qPrintable(all));
      for (const char* entry : {"touched", "same sector", "not fetched"})
        QVERIFY2(all.contains(entry), qPrintable(all));
    }
    // With room, the words of the legend are long.
    const QString all = allOf(painted(sceneOf({}, Kind::GlobalLoad, "A"), {1000, 300}));
    QVERIFY2(all.contains("touched, by the lane of that shade"), qPrintable(all));
  }

  // A picture numbers the lanes of shared words, or counts them, but does not mix both.
  void sharedWordsAreLabelledAlike() {
    int named = 0, counted = 0;
    for (const int width : {200, 240, 300, 335, 360, 420, 500, 640, 900, 1300}) {
      const Scene scene = sceneOf({.stage = "warptiled"}, Kind::SharedLoad, "Bs");
      const Painted p = painted(scene, {width, 260});
      QVERIFY(p.picture.strips.size() > 1);
      bool names = false, counts = false;
      for (const PaintedText& text : p.texts) {
        if (text.ink.top() < p.picture.geometry.strip(0).top() - 1 ||
            text.ink.left() < p.picture.geometry.strip(0).left() - 1 ||
            text.ink.bottom() > p.picture.geometry.bottom() + 1)
          continue;
        names = names || text.text.contains(u',') || text.text.contains(u'–');
        counts = counts || text.text.contains(u'×') || text.text.contains("lanes");
      }
      QVERIFY2(!(names && counts), qPrintable(QString::number(width)));
      named += names ? 1 : 0;
      counted += counts ? 1 : 0;
    }
    QVERIFY(named > 0 && counted > 0);
  }

  // Half of a laptop's picture: every word that lanes share has its label.
  void noSharedWordIsWithoutLabel() {
    const Painted p = painted(sceneOf({.stage = "warptiled"}, Kind::SharedLoad, "Bs"), {335, 240});
    const auto& g = p.picture.geometry;
    for (std::uint32_t w = 0; w < p.picture.strips.size(); ++w) {
      for (const auto& [word, use] : p.picture.strips[w].uses) {
        if (!use.start) continue;
        const QRectF cell = g.stripCell(w, word % analysis::kBanks);
        const QRectF access(cell.topLeft(), QSizeF(4 * g.cellWidth(), cell.height()));
        QVERIFY2(std::ranges::any_of(
                     p.texts,
                     [&](const PaintedText& text) { return access.contains(text.ink.center()); }),
                 qPrintable(QString("wavefront %1, word %2").arg(w).arg(word)));
      }
    }
  }

  // The mark of a conflict is beside the names of the wavefronts, at every height.
  void namesAreBesideTheMarks() {
    const Scene scene = sceneOf({.stage = "blocktile2d"}, Kind::SharedLoad, "Bs");
    for (const int height : {150, 190, 260, 420}) {
      const Painted p = painted(scene, {660, height});
      const auto& g = p.picture.geometry;
      const double mark = kMarkWidth * QFontMetricsF(Fonts::of(QFont()).small).height();
      int names = 0;
      for (const PaintedText& text : p.texts) {
        if (text.ink.top() < g.strip(0).top() - 5 || text.ink.bottom() > g.bottom() + 5 ||
            text.ink.left() > g.strip(0).left())
          continue;
        ++names;
        QVERIFY2(text.ink.right() <= g.stripLabel(0).right() - mark + 3, qPrintable(text.text));
      }
      QVERIFY(names > 0);
    }
  }

  // Grey words are explained, where there are any.
  void greyWordsAreNamed() {
    const TileShape padded = test::stage("padded").standardTile().with(Parameter::PAD, 4);
    const Painted pad =
        painted(sceneOf({.stage = "padded", .tile = padded, .kTiles = 2}, Kind::SharedStore, "As"),
                {900, 400});
    QVERIFY2(pad.picture.grey.contains("padding"), qPrintable(pad.picture.grey));
    QVERIFY2(allOf(pad).contains(pad.picture.grey), qPrintable(allOf(pad)));
    const Painted full = painted(sceneOf({}, Kind::SharedLoad, "Bs"), {900, 400});
    QCOMPARE(full.picture.grey, QString());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BankPainterTest, Widgets)
#include "bank_painter_test.moc"
