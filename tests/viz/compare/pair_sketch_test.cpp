// SPDX-License-Identifier: GPL-3.0-or-later
// The small pictures of pairs show what the recordings count.
#include "viz/compare/pair_sketch.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::recorded;

class PairSketchTest : public QObject {
  Q_OBJECT

  static PairSketch sketch(const char* before, const char* after) {
    return pairSketch(*recorded({.stage = before}), *recorded({.stage = after}));
  }
  static QImage painted(const PairSketch& sketch, Look look) {
    const Theme theme = Theme::make(look);
    QImage image(100, 48, QImage::Format_RGB32);
    image.fill(theme.panel);
    QPainter painter(&image);
    paintPairSketch(painter, sketch, QRectF(0, 0, 100, 48), theme);
    return image;
  }
  static QImage half(const QImage& image, bool right) {
    return image.copy(right ? 53 : 0, 0, 47, 48);
  }

 private slots:
  void sectorsOfAnAccess() {
    const PairSketch s = sketch("naive", "coalesced");
    QCOMPARE(s.baseline.passes, 32u);
    QCOMPARE(s.baseline.wasted, 28u);
    QCOMPARE(s.now.passes, 1u);
    QCOMPARE(s.now.wasted, 0u);
    QCOMPARE(s.caption, QString("global load of A: 32 sectors, 28 wasted; then 1 sector"));
  }

  void wavefrontsOfAnAccess() {
    const PairSketch s = sketch("autotuned", "warptiled");
    QVERIFY(s.baseline.wasted > 0);
    QCOMPARE(s.now.wasted, 0u);
    QVERIFY(s.caption.startsWith("shared load of Bs: "));
  }

  // A load and the copy that replaces it are counted in sectors.
  void oneUnitForBoth() {
    QVERIFY(sketch("doublebuffered", "async").caption.contains("asynchronous copy to As: "));
    QVERIFY(!sketch("doublebuffered", "async").caption.contains("wavefront"));
    const QString other = sketch("coalesced", "shared").caption;
    QVERIFY(other.startsWith("global load of A: 1 sector") && other.contains("wavefront"));
  }

  // The accesses are equal: the numbers for equal work are compared.
  void howManyAccesses() {
    const TileShape tile =
        test::stage("warptiled").standardTile().with(Parameter::TM, 4).with(Parameter::TN, 4);
    const PairSketch s =
        pairSketch(*recorded({.stage = "warptiled", .tile = tile.with(Parameter::WNITER, 1)}),
                   *recorded({.stage = "warptiled", .tile = tile.with(Parameter::WNITER, 2)}));
    QCOMPARE(s.baseline.passes, 2 * s.now.passes);
    QVERIFY2(s.caption.startsWith("shared load of As, for 4,096 multiply-adds: "),
             qPrintable(s.caption));
  }

  void theTileWhereThreadsMoveNothing() {
    const PairSketch s = sketch("wgmma", "multistage");
    QCOMPARE(s.now.passes, 0u);
    QVERIFY(s.now.rows > 0 && s.now.columns > 0);
    QVERIFY(s.now.buffers > s.baseline.buffers);
  }

  void bothLooksShowTheDifference() {
    for (const Look look : {Look::Dark, Look::Light}) {
      for (const PairSketch& s : {sketch("naive", "coalesced"), sketch("wgmma", "multistage")}) {
        const QImage image = painted(s, look);
        QVERIFY(half(image, false) != half(image, true));
      }
      PairSketch same = sketch("naive", "coalesced");
      same.now = same.baseline;
      const QImage image = painted(same, look);
      QCOMPARE(half(image, false), half(image, true));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PairSketchTest, Widgets)
#include "pair_sketch_test.moc"
