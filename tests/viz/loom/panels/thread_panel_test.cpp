// SPDX-License-Identifier: GPL-3.0-or-later
// One thread close up: the places of its cells before, during and after they gather.
#include "viz/loom/panels/thread_panel.h"

#include <QtTest>

#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_input.h"
#include "viz/loom/loom_trail.h"
#include "viz/loom/slab_ends.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;

class ThreadPanelTest : public QObject {
  Q_OBJECT

  const Fonts fonts_ = Fonts::of(QFont());
  const test::RecordingPointer recording_ = test::recorded({.stage = "warptiled", .block = {1, 1}});

  struct View {
    Scene scene;
    LoomInput input;
    LoomFrame frame;
  };
  View view(Kind kind, const QSizeF& size = {900, 600}) const {
    View v;
    const auto index = test::indexOf(*recording_, 2, [kind](const Instruction& i) {
      return i.kind == kind && (kind == Kind::SharedStore || i.dot == 3);
    });
    v.scene = makeScene(recording_, 2, index + (kind == Kind::Fma ? 40 : 0));
    v.frame = LoomFrame::of(QRectF(QPointF(0, 0), size), fonts_);
    v.input = loomInput(v.scene, 1, v.frame.viewport, fonts_);
    return v;
  }
  static ThreadPanel panel(const View& v, const LoomGeometry& g) {
    return threadPanel(
        v.scene, g,
        analysis::outerProduct(*v.scene.recording, v.scene.shownThread(), v.scene.moment.index),
        20);
  }
  static LoomGeometry near(const View& v) {
    return LoomGeometry(v.input, LoomGeometry::fitRegion(v.input, v.input.near));
  }

 private slots:
  // A slab that is longer than the picture says how far it continues; a wholly visible one does
  // not.
  void slabsThatGoOnSaySo() {
    const View v = view(Kind::Fma);
    const LoomGeometry g = near(v);
    const auto tile = v.scene.tileOf(analysis::Matrix::A, v.scene.shownTile());
    const auto ends = slabEnds(analysis::Matrix::A, g.allSlabsA(), tile, g.viewport());
    QVERIFY(!ends.empty());
    for (const SlabEnd& end : ends) {
      QVERIFY(g.viewport().contains(end.fade));
      QCOMPARE(end.words, end.first ? QString("from row %1").arg(tile.row)
                                    : QString("to row %1").arg(tile.row + tile.rows - 1));
    }
    const LoomGeometry far(v.input, LoomGeometry::fitBlock(v.input));
    QVERIFY(slabEnds(analysis::Matrix::A, far.allSlabsA(), tile, far.viewport()).empty());
    QVERIFY(slabEnds(analysis::Matrix::B, far.allSlabsB(),
                     v.scene.tileOf(analysis::Matrix::B, v.scene.shownTile()), far.viewport())
                .empty());
  }

  void farAwayThereIsNone() {
    const View v = view(Kind::Fma);
    for (const LoomCamera& camera :
         {LoomGeometry::fitGrid(v.input), LoomGeometry::fitBlock(v.input),
          LoomGeometry::fitRegion(v.input, v.input.warp)}) {
      const ThreadPanel p = panel(v, LoomGeometry(v.input, camera));
      QVERIFY(p.cells.empty());
      QVERIFY(!p.elementAt(v.frame.viewport.center()));
    }
  }

  void everyResultHasACellOfItsOwn() {
    for (const QSizeF& size : {QSizeF(900, 600), QSizeF(600, 300), QSizeF(2400, 1500)}) {
      const View v = view(Kind::Fma, size);
      const ThreadPanel p = panel(v, near(v));
      QCOMPARE(p.cells.size(), std::size_t{128});
      QCOMPARE(p.subtiles.size(), std::size_t{4});
      QCOMPARE(p.a.size(), std::size_t{8});
      QCOMPARE(p.b.size(), std::size_t{16});
      int now = 0;
      for (const auto& cell : p.cells) {
        QVERIFY(v.frame.viewport.contains(cell.rect));
        QCOMPARE(int(recording_->map.ownerOf(cell.element.row, cell.element.column)), 64);
        const auto hit = p.elementAt(cell.rect.center());
        QVERIFY(hit && *hit == cell.element);
        now += cell.now;
      }
      QCOMPARE(now, 1);
      for (const auto& values : {p.a, p.b}) {
        for (const auto& value : values) {
          QVERIFY(v.frame.viewport.contains(value.rect));
          QVERIFY(*p.elementAt(value.rect.center()) == value.element);
        }
      }
    }
  }

  // A fragment is in line with the sums that it updates.
  void fragmentsStandBesideTheirSums() {
    const View v = view(Kind::Fma);
    const ThreadPanel p = panel(v, near(v));
    for (const auto& cell : p.cells) {
      for (const auto& a : p.a) {
        QCOMPARE(std::abs(a.rect.center().y() - cell.rect.center().y()) < 0.01,
                 a.element.row == cell.element.row);
      }
      for (const auto& b : p.b) {
        QCOMPARE(std::abs(b.rect.center().x() - cell.rect.center().x()) < 0.01,
                 b.element.column == cell.element.column);
      }
    }
  }

  // Every cell moves from its place in C without a jump.
  void cellsGatherSteadily() {
    const View v = view(Kind::Fma);
    const double from = std::log(LoomGeometry::fitRegion(v.input, v.input.warp).scale);
    const LoomCamera there = LoomGeometry::fitRegion(v.input, v.input.near);
    double before = -1;
    for (int step = 0; step <= 60; ++step) {
      LoomCamera camera = there;
      camera.scale = std::exp(from + (std::log(there.scale) - from) * step / 60);
      const LoomGeometry g(v.input, camera);
      QVERIFY(g.nearness() >= before);
      QVERIFY(g.nearness() - before < 0.2 || before < 0);
      before = g.nearness();
      const ThreadPanel p = panel(v, g);
      if (p.cells.empty() || p.gathered > 0.05) continue;
      for (const auto& cell : p.cells) {
        const QRectF own = g.of(cell.element);
        QVERIFY((cell.rect.center() - own.center()).manhattanLength() <
                0.15 * (own.center() - p.area.center()).manhattanLength() + 40);
      }
    }
    QCOMPARE(before, 1.0);
  }

  void whileATileIsFilledThereAreNoFragments() {
    const View v = view(Kind::SharedStore);
    const ThreadPanel p = panel(v, near(v));
    QVERIFY(!p.hasProduct);
    QVERIFY(p.a.empty() && p.b.empty());
    QCOMPARE(p.cells.size(), std::size_t{128});
  }

  void levelsFollowTheScale() {
    const View v = view(Kind::Fma);
    const auto level = [&](const LoomCamera& camera) {
      return LoomGeometry(v.input, camera).level();
    };
    QCOMPARE(level(LoomGeometry::fitGrid(v.input)), LoomLevel::Grid);
    QCOMPARE(level(LoomGeometry::fitBlock(v.input)), LoomLevel::Block);
    QCOMPARE(level(LoomGeometry::fitRegion(v.input, v.input.warp)), LoomLevel::Warp);
    QCOMPARE(level(LoomGeometry::fitRegion(v.input, v.input.near)), LoomLevel::Thread);
  }

  void theBreadcrumbFitsItsRoom() {
    const View v = view(Kind::Fma);
    for (const double width : {1000.0, 300.0, 160.0, 60.0}) {
      for (const LoomLevel level :
           {LoomLevel::Grid, LoomLevel::Block, LoomLevel::Warp, LoomLevel::Thread}) {
        const auto trail = loomTrail(v.scene, QRectF(10, 0, width, 20), level, fonts_);
        QVERIFY(std::ranges::any_of(trail, [&](const Crumb& c) { return c.level == level; }));
        for (const Crumb& c : trail) QVERIFY(crumbAt(trail, c.rect.center()) == c.level);
        if (trail.size() > 1) QVERIFY(trail.back().rect.right() <= 10 + width + 1);
        if (width == 1000.0) {
          QCOMPARE(trail.size(), std::size_t{4});
          QCOMPARE(trail[1].text, QString("Block x 1, y 1"));
          QCOMPARE(trail[2].text, QString("Warp 2"));
        }
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ThreadPanelTest, Widgets)
#include "thread_panel_test.moc"
