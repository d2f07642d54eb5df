// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes, and the links between threads, elements and shared words that all views rely on.
#include "viz/base/scene.h"

#include <QtTest>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/kinds.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using analysis::SharedWord;
using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::recorded;

class SceneTest : public QObject {
  Q_OBJECT

  // The legal tile with the least shared memory among some: every word of it can be tried.
  static TileShape smallTile(const Stage& stage) {
    test::Random random(test::seed());
    const auto tiles = test::legalTiles(stage, 60, random);
    return *std::ranges::min_element(tiles, {}, [&stage](const TileShape& t) {
      const Derived d = derive(stage, t);
      return d.blockM * d.blockN * d.stepK;
    });
  }

  // word -> element -> word, and the element is what the word holds.
  static void wordsLeadBack(const Scene& scene, std::uint32_t array, std::uint32_t stride,
                            int& known) {
    const auto contents = scene.recording->contents(array, scene.moment.warp, scene.moment.index);
    for (std::uint32_t i = 0; i < contents.size(); i += stride) {
      Selection word;
      word.word = SharedWord{array, i};
      const Selection there = complete(scene, word);
      QVERIFY(there.word == word.word);
      QVERIFY(there.element == scene.recording->elementOf(contents[i]));
      if (!there.element) continue;
      Selection element;
      element.element = there.element;
      const Selection back = complete(scene, element);
      QVERIFY(back.word == word.word);
      QVERIFY(back.element == there.element);
      ++known;
    }
  }

 private slots:
  // At the edge of C whole warps may be outside: a request for one of them shows one that works.
  void warpsOutsideC() {
    const Stage& naive = test::stage("naive");
    emulator::Workspace workspace;
    for (const Problem& problem : {Problem{70, 64, 64}, Problem{64, 70, 64}, Problem{65, 65, 64}}) {
      const Extent grid = launchOf(naive, naive.standardTile(), problem).grid;
      emulator::TraceRequest request;
      request.subject() = standardSubject(naive);
      request.problem = problem;
      request.block = {grid.x - 1, grid.y - 1};
      const auto recording = analysis::record(workspace, request);
      int outside = 0;
      for (std::uint32_t warp = 0; warp < recording->trace.warps + 2; ++warp) {
        const bool works = warp < recording->trace.warps && recording->trace.length(warp) > 0;
        outside += warp < recording->trace.warps && !works ? 1 : 0;
        for (const std::uint32_t index : {0u, 100u, 1'000'000u}) {
          const Scene scene = makeScene(recording, warp, index);
          QVERIFY(scene.ready());
          QVERIFY(recording->trace.length(scene.moment.warp) > scene.moment.index);
          if (works) QCOMPARE(scene.moment.warp, warp);
        }
      }
      QVERIFY(outside > 0 || problem.m > 64);
    }
  }

  // Also for a prefetched K tile.
  void theTouchedTileHoldsWhatIsTouched_data() { test::addStageRows(); }
  void theTouchedTileHoldsWhatIsTouched() {
    const Stage& stage = test::stageOfRow();
    const auto r = recorded({.stage = stage.id, .problem = {256, 256, 256}});
    bool ahead = false;
    for (std::uint32_t i = 0; i < r->trace.length(0); i += 1 + i / 64) {
      const Scene scene = makeScene(r, 0, i);
      const std::uint32_t tile = scene.touchedTile();
      QVERIFY(tile < r->trace.kTiles);
      if (tile != scene.kTile()) ahead = true;
      for (const analysis::Touch& touch : scene.moment.touches) {
        const Element& e = touch.element;
        if (e.matrix == Matrix::A) QVERIFY(scene.tileOf(Matrix::A, tile).contains(e.row, e.column));
        if (e.matrix == Matrix::B) QVERIFY(scene.tileOf(Matrix::B, tile).contains(e.row, e.column));
      }
    }
    QCOMPARE(ahead, test::fetchesAhead(stage) ||
                        (stage.has(Parameter::STAGES) && !stage.features().roles));
  }

  void prologueAndEpilogue() {
    const auto r = recorded({.stage = "tuned", .problem = {256, 256, 256}});
    const std::uint32_t length = r->trace.length(0);
    const Scene first = makeScene(r, 0, 0), last = makeScene(r, 0, length - 1);
    QVERIFY(first.beforeTiles() && !first.afterTiles());
    QVERIFY(last.afterTiles() && !last.beforeTiles());
    QCOMPARE(first.kTile(), 0u);
    QCOMPARE(last.kTile(), r->trace.kTilesTraced - 1);
    const Scene within = makeScene(r, 0, length / 2);
    QVERIFY(!within.beforeTiles() && !within.afterTiles());
    const Scene old = makeScene(recorded({.stage = "warptiled"}), 0, 0);
    QVERIFY(!old.beforeTiles());  // it begins in its first K tile
  }

  void indicesAreClamped() {
    const auto r = recorded({.stage = "warptiled", .problem = {128, 128, 32}});
    const Scene far = makeScene(r, 1000, 0xFFFFFFFF);
    QVERIFY(far.ready());
    QCOMPARE(far.moment.warp, 3u);
    QCOMPARE(far.moment.index, r->trace.length(3) - 1);
    const Scene start = makeScene(r, 0, 0);
    QCOMPARE(start.moment.index, 0u);
    QVERIFY(start.selection.empty() && !start.held && !start.stale);
    QVERIFY(!makeScene(nullptr, 0, 0).ready());
    QVERIFY(!Scene().ready());
  }

  void kTileOfAnInstant() {
    const auto r = recorded({.stage = "warptiled"});
    QCOMPARE(makeScene(r, 0, 0).kTile(), 0u);
    const auto second = indexOf(*r, 0, [](const Instruction& i) { return i.kTile == 1; });
    QCOMPARE(makeScene(r, 0, second).kTile(), 1u);
    QCOMPARE(makeScene(r, 0, r->trace.length(0) - 1).kTile(), 1u);  // the epilogue: the last
  }

  // The bank view has content as soon as there was an access.
  void latestAccess_data() { test::addStageRows(); }
  void latestAccess() {
    if (test::stageOfRow().features().warpgroupMma) QSKIP("its threads have no fragments");
    const auto r = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 128}});
    const bool shared = r->trace.sharedBytes > 0;
    const std::uint32_t fma = indexOf(*r, 0, [](const Instruction& i) {
      return (i.kind == Kind::Fma && i.dot == 2) || i.kind == Kind::Mma;
    });
    const Scene scene = makeScene(r, 0, fma);
    QVERIFY(scene.access.has_value());
    QVERIFY(scene.access->index < fma);
    QVERIFY(shared ? emulator::isShared(scene.access->instruction.kind)
                   : emulator::isGlobal(scene.access->instruction.kind));
    const Scene onAccess = makeScene(r, 0, scene.access->index);
    QCOMPARE(onAccess.access->index, onAccess.moment.index);
  }

  void openingIndexShowsAnAccess_data() { test::addStageRows(); }
  void openingIndexShowsAnAccess() {
    const auto r = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 128}});
    const Scene scene = makeScene(r, 0, openingIndex(*r));
    // If the tensor core reads shared memory itself, wgmma is the access to show.
    if (test::stageOfRow().features().warpgroupMma) {
      QVERIFY(scene.moment.instruction.kind == Kind::Product);
      return;
    }
    QVERIFY(scene.access.has_value());
    QCOMPARE(scene.access->index, scene.moment.index);
    QVERIFY(!scene.beforeTiles() && !scene.afterTiles());
  }

  void everyWordLeadsToItsElementAndBack_data() {
    QTest::addColumn<QString>("id");
    for (const char* id :
         {"shared", "blocktile1d", "blocktile2d", "vectorized", "autotuned", "warptiled"}) {
      QTest::newRow(id) << id;
    }
  }
  void everyWordLeadsToItsElementAndBack() {
    QFETCH(QString, id);
    const Stage& stage = test::stage(id.toStdString());
    const TileShape tile = smallTile(stage);
    const Derived d = derive(stage, tile);
    const auto small = recorded({.stage = stage.id,
                                 .tile = tile,
                                 .problem = {2 * d.blockM, 2 * d.blockN, 3 * d.stepK},
                                 .block = {1, 1},
                                 .kTiles = 0});
    const std::uint32_t length = small->trace.length(0);
    int known = 0;
    // From before the first fill to the epilogue, half-filled tiles in between.
    for (const std::uint32_t index : {0u, length / 10, length / 3, length / 2, length - 1}) {
      for (const char* name : {"As", "Bs"}) {
        wordsLeadBack(makeScene(small, 0, index), test::arrayNamed(*small, name), 1, known);
        if (QTest::currentTestFailed()) return;
      }
    }
    QVERIFY(known >= d.sharedBytes / 4);
    // And some words of the standard tile.
    const auto standard = recorded({.stage = stage.id});
    for (const std::uint16_t dot : {std::uint16_t{0}, std::uint16_t{7}}) {
      const std::uint32_t warp = standard->trace.warps - 1;
      const auto at = indexOf(*standard, warp,
                              [dot](const Instruction& i) { return i.kTile == 1 && i.dot == dot; });
      for (const char* name : {"As", "Bs"}) {
        wordsLeadBack(makeScene(standard, warp, at), test::arrayNamed(*standard, name), 37, known);
      }
    }
  }

  void elementsOfCHaveAnOwner_data() { test::addStageRows(); }
  void elementsOfCHaveAnOwner() {
    const auto r =
        recorded({.stage = test::stageOfRow().id, .problem = {520, 520, 64}, .block = {1, 1}});
    const Scene scene = makeScene(r, 0, 0);
    const analysis::Region& c = r->map.c;
    for (std::int64_t row = c.row; row < c.row + c.rows; ++row) {
      for (std::int64_t column = c.column; column < c.column + c.columns; ++column) {
        Selection s;
        s.element = Element{Matrix::C, row, column};
        const Selection there = complete(scene, s);
        QVERIFY(there.thread.has_value());
        const auto& subtiles = r->map.subtiles[*there.thread];
        QVERIFY(std::ranges::any_of(subtiles, [&](const analysis::Region& subtile) {
          return subtile.contains(row, column);
        }));
        QVERIFY(!there.word);
      }
    }
    Selection outside;
    outside.element = Element{Matrix::C, 0, 0};
    QVERIFY(complete(scene, outside) == outside);
  }

  void whatIsKnownIsKept() {
    const auto r = recorded({.stage = "warptiled"});
    const Scene scene = makeScene(r, 0, openingIndex(*r));
    QVERIFY(complete(scene, {}).empty());
    Selection thread;
    thread.thread = 77;
    QVERIFY(complete(scene, thread) == thread);
    Selection s;
    s.thread = 5;
    s.element = Element{Matrix::C, 127, 127};
    QCOMPARE(*complete(scene, s).thread, 5u);
    Selection absent;  // an element of A that no word holds
    absent.element = Element{Matrix::A, 0, 900};
    QVERIFY(complete(scene, absent) == absent);
    Selection beyond;
    beyond.word = SharedWord{test::arrayNamed(*r, "As"), 1'000'000};
    QVERIFY(!complete(scene, beyond).element);
    QVERIFY(complete(Scene(), thread) == thread);  // nothing recorded yet
  }

  void shownThreadFollowsTheSelectionWithinTheWarp() {
    Scene scene = makeScene(recorded({.stage = "warptiled"}), 2, 0);
    QCOMPARE(scene.shownThread(), 64u);
    scene.selection.thread = 70;
    QCOMPARE(scene.shownThread(), 70u);
    scene.selection.thread = 3;  // of another warp
    QCOMPARE(scene.shownThread(), 64u);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SceneTest, Nothing)
#include "scene_test.moc"
