// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes over A and B in the loom: their places, their zeros, and their picture.
#include "viz/loom/loom_boxes.h"

#include <QPainter>
#include <QtTest>
#include <cmath>

#include "kernels/analysis/memory/boxes.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/viz/golden.h"
#include "viz/base/text/describe.h"
#include "viz/loom/loom_input.h"
#include "viz/loom/loom_painter.h"

namespace tileloom {

using analysis::Matrix;
using emulator::Kind;

class LoomBoxesTest : public QObject {
  Q_OBJECT

  struct Shown {
    Scene scene;
    LoomContents contents;
    LoomFrame frame;
    LoomGeometry geometry;
  };
  static constexpr QRectF kCanvas{0, 0, 1000, 640};

  static Shown shown(const test::RecordingPointer& r, std::uint32_t index, std::uint32_t warp = 0) {
    Shown s;
    s.scene = makeScene(r, warp, index);
    s.contents = loomContents(s.scene);
    const Fonts fonts = Fonts::of(test::goldenFont());
    s.frame = LoomFrame::of(kCanvas, fonts, loomAspect(s.scene));
    const LoomInput input = loomInput(s.scene, s.contents.slabs, s.frame.viewport, fonts);
    s.geometry = LoomGeometry(input, LoomGeometry::fitBlock(input));
    return s;
  }
  // The last block of a size that no tile divides: 56 of 128 rows, 72 of 256 columns, 40 of 64 k.
  static test::RecordingPointer ragged() {
    static const auto recording = test::recorded(
        {.stage = "overlapped", .problem = {184, 328, 232}, .block = {1, 1}, .kTiles = 4});
    return recording;
  }
  static std::uint32_t indexOf(const test::RecordingPointer& r, Kind kind, std::uint32_t tile,
                               int skipped = 0) {
    return test::indexOf(*r, 0, [&](const emulator::Instruction& i) {
      return i.kind == kind && (tile == emulator::kNoTile || i.kTile == tile) && skipped-- == 0;
    });
  }

 private slots:
  // The outlined area of a box outside the matrix is the share of its zeros.
  void areasAreShares() {
    const auto r = ragged();
    for (const std::uint32_t tile : {0u, 1u, 3u}) {
      const Shown s = shown(r, indexOf(r, Kind::CommitProducts, tile));
      const auto boxes = loomBoxes(s.scene, *s.contents.progress, s.geometry);
      QVERIFY(!boxes.empty());
      double zeros = 0, all = 0;
      for (const LoomBox& box : boxes) {
        if (box.matrix != Matrix::A) continue;
        all += box.whole.width() * box.whole.height();
        zeros += box.whole.width() * box.whole.height() -
                 (box.inside.isEmpty() ? 0 : box.inside.width() * box.inside.height());
        QVERIFY(box.inside.isEmpty() || box.whole.adjusted(-1, -1, 1, 1).contains(box.inside));
        QVERIFY(!box.now);
      }
      if (tile != 3) continue;
      // Of the last K tile: 56 × 40 elements of 128 × 64.
      QVERIFY(std::abs(zeros / all - (1 - 56.0 * 40 / (128 * 64))) < 0.01);
    }
  }

  // No element is found at zeros, and none is lost beside them.
  void zerosAreNoElements() {
    const auto r = ragged();
    const Shown s = shown(r, indexOf(r, Kind::CommitProducts, 3));
    const QRectF inside = slabInside(s.geometry, s.scene, Matrix::A, 0);
    const QRectF slab = s.geometry.slabA();
    QVERIFY(inside.width() < 0.7 * slab.width());
    const double y = inside.center().y();
    const auto last = s.geometry.elementAt({inside.right() - 0.3, y});
    QVERIFY(last && last->matrix == Matrix::A);
    QCOMPARE(last->column, 231);
    QVERIFY(!s.geometry.elementAt({inside.right() + 4, y}));
  }

  void onItsWayUntilWaitedFor() {
    const auto r = test::recorded({.stage = "overlapped", .problem = {512, 512, 512}, .kTiles = 6});
    const std::uint32_t asked = indexOf(r, Kind::BoxLoad, 1);
    const Shown s = shown(r, asked);
    QVERIFY(s.contents.slabs >= 4);
    int now = 0, coming = 0;
    for (const LoomBox& box : loomBoxes(s.scene, *s.contents.progress, s.geometry)) {
      now += box.now ? 1 : 0;
      coming += box.onItsWay ? 1 : 0;
      if (box.now) QCOMPARE(box.to, QString("stage 0"));
    }
    QCOMPARE(now, 1);
    QCOMPARE(coming, 1 + 5);  // of K tile 5 its first, and all of K tile 4
  }

  void words() {
    const auto r = ragged();
    const Scene scene = makeScene(r, 0, indexOf(r, Kind::BoxLoad, emulator::kNoTile, 1));
    QCOMPARE(describeLoomBox(scene),
             QString("TMA load of B, 64 × 64 from B[0][256], to stage 0: 8,192 bytes"));
    const Scene edge = makeScene(r, 0, indexOf(r, Kind::BoxLoad, emulator::kNoTile, 2));
    QCOMPARE(describeLoomBox(edge), QString("TMA load of B, 64 × 64 from B[0][320], to stage 0: "
                                            "8,192 bytes, 7,168 of them zeros from outside B"));
    QVERIFY(describeMoment(edge.moment)
                .contains("TMA load of B, 64 rows × 64 columns from B[0][320] to Bs, 8,192 bytes, "
                          "7,168 of them zeros from outside of B"));
    QVERIFY(describeLoomBox(makeScene(r, 0, indexOf(r, Kind::CommitProducts, 0))).isEmpty());
  }

  // The producer of a cluster's block loads its part of B once, for both blocks.
  void forTwoBlocks() {
    const auto r = test::recorded({.stage = "cluster", .problem = {512, 512, 512}, .kTiles = 4});
    const auto producer = static_cast<std::uint32_t>(std::ranges::find(r->trace.roles, "producer") -
                                                     r->trace.roles.begin());
    std::uint32_t index = 0;
    while (!r->moment(producer, index).box || r->moment(producer, index).box->ranks == 1) ++index;
    const Shown s = shown(r, index, producer);
    QVERIFY2(describeLoomBox(s.scene).contains("multicast to blocks 0 and 1 of the cluster"),
             qPrintable(describeLoomBox(s.scene)));
    bool found = false;
    for (const LoomBox& box : loomBoxes(s.scene, *s.contents.progress, s.geometry)) {
      QCOMPARE(box.ranks.empty(), box.matrix == Matrix::A);
      if (!box.now) continue;
      found = true;
      QCOMPARE(box.ranks, (std::vector<std::uint32_t>{0, 1}));
      QVERIFY(!box.from);
    }
    QVERIFY(found);
    {
      const Theme theme = Theme::make(true);
      QImage image(1000, 640, QImage::Format_RGB32);
      image.fill(theme.ground);
      QPainter painter(&image);
      painter.setFont(test::goldenFont());
      paintLoom(painter, s.frame, s.geometry, s.scene, s.contents, theme,
                Fonts::of(test::goldenFont()));
      painter.end();
      test::compareWithGolden("loom-multicast-dark", image);
    }
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("edge");
    QTest::newRow("loom-boxes-ragged-light") << false << true;
  }
  void pictures() {
    QFETCH(const bool, dark);
    QFETCH(const bool, edge);
    const auto r =
        edge ? ragged()
             : test::recorded({.stage = "overlapped", .problem = {512, 512, 512}, .kTiles = 6});
    const Shown s = shown(r, edge ? indexOf(r, Kind::BoxLoad, emulator::kNoTile, 2)
                                  : indexOf(r, Kind::BoxLoad, 1, 2));
    const Theme theme = Theme::make(dark);
    QImage image(1000, 640, QImage::Format_RGB32);
    image.fill(theme.ground);
    QPainter painter(&image);
    painter.setFont(test::goldenFont());
    paintLoom(painter, s.frame, s.geometry, s.scene, s.contents, theme,
              Fonts::of(test::goldenFont()));
    painter.end();
    test::compareWithGolden(QTest::currentDataTag(), image);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LoomBoxesTest, Widgets)
#include "loom_boxes_test.moc"
