// SPDX-License-Identifier: GPL-3.0-or-later
// How far a block has got, against three other ways to know it: the replay of shared memory, what
// an instruction touches, and arithmetic (at the end every sum holds a product for each k).
#include "kernels/analysis/order/progress.h"

#include <QtTest>
#include <set>

#include "kernels/analysis/tensor/warp_product.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Kind;
using test::recorded;

class ProgressTest : public QObject {
  Q_OBJECT

  static DataState stateOf(const Progress& progress, const Element& e) {
    const auto& r = progress.recording();
    const bool isA = e.matrix == Matrix::A;
    const Region first = (isA ? r.map.tileA : r.map.tileB).front();
    const std::int64_t step = r.trace.stepK, k = isA ? e.column : e.row;
    const auto* tile = progress.tile(e.matrix, static_cast<std::uint32_t>(k / step));
    if (tile == nullptr) return DataState::NotAsked;
    const std::int64_t at = isA ? (e.row - first.row) * step + k % step
                                : k % step * first.columns + e.column - first.column;
    return tile->states.at(static_cast<std::size_t>(at));
  }

 private slots:
  // Everything in shared memory has arrived; the factors of an instruction are in registers, or
  // were used up by this instruction; what it reads or copies has been requested.
  void agreesWithTheMoment_data() { test::addStageRows(); }
  void agreesWithTheMoment() {
    const Stage& stage = test::stageOfRow();
    const auto r = recorded({.stage = stage.id, .problem = {256, 256, 256}});
    Progress progress(r);
    test::Random random(test::seed());
    const int rounds = test::briefly() ? 6 : 60;
    for (int round = 0; round < rounds; ++round) {
      const auto warp = static_cast<std::uint32_t>(random.integer(0, int(r->trace.warps) - 1));
      const auto length = int(r->trace.length(warp));
      // Half of them after the last one, where the replay continues instead of restarting.
      const auto index = static_cast<std::uint32_t>(random.integer(0, length - 1));
      progress.goTo(warp, index);
      QCOMPARE(progress.stamp(), index + 1);
      const Moment m = r->moment(warp, index);
      for (const Touch& t : m.touches) {
        if (t.element.matrix == Matrix::C) continue;
        const DataState state = stateOf(progress, t.element);
        switch (m.instruction.kind) {
          case Kind::Fma:
          case Kind::Mma:
          case Kind::MatrixLoad:
            QVERIFY(state >= DataState::InRegisters);
            break;
          case Kind::SharedLoad:  // its later parts may still be to come
          case Kind::SharedStore:
            QVERIFY(state >= DataState::InShared);
            break;
          default:
            QVERIFY(state >= DataState::InFlight);
        }
      }
      for (std::uint32_t array = emulator::kFirstShared; array < r->trace.arrays.size(); ++array) {
        for (const auto word : r->contents(array, warp, index)) {
          if (const auto e = r->elementOf(word))
            QVERIFY(stateOf(progress, *e) >= DataState::InShared);
        }
      }
    }
  }

  // Elements in shared memory are present: no element is shown that a later one has replaced.
  void whatWaitsIsThere_data() { test::addStageRows(); }
  void whatWaitsIsThere() {
    const Stage& stage = test::stageOfRow();
    if (!stage.features().sharedTiles) return;
    const auto r = recorded({.stage = stage.id, .problem = {256, 256, 256}});
    Progress progress(r);
    const std::uint32_t length = r->trace.length(0);
    for (std::uint32_t index = 0; index < length;
         index += 1 + length / (test::briefly() ? 8 : 24)) {
      progress.goTo(0, index);
      std::set<std::pair<int, std::pair<std::int64_t, std::int64_t>>> there;
      for (std::uint32_t array = emulator::kFirstShared; array < r->trace.arrays.size(); ++array) {
        for (const auto word : r->contents(array, 0, index)) {
          if (const auto e = r->elementOf(word))
            there.insert({int(e->matrix), {e->row, e->column}});
        }
      }
      std::uint64_t waiting = 0, found = 0;
      for (const auto& [matrix, place] : there) {
        const Element e{static_cast<Matrix>(matrix), place.first, place.second};
        found += stateOf(progress, e) == DataState::InShared ? 1 : 0;
      }
      for (std::uint32_t tile = 0; tile < r->trace.kTiles; ++tile)
        waiting += progress.reached(tile, DataState::InShared) -
                   progress.reached(tile, DataState::InRegisters);
      QCOMPARE(waiting, found);
    }
  }

  void sumsAndUses_data() { test::addStageRows(); }
  void sumsAndUses() {
    const Stage& stage = test::stageOfRow();
    const auto r = recorded({.stage = stage.id, .problem = {256, 256, 256}});
    Progress progress(r);
    std::uint64_t before = 0;
    const std::uint32_t last = r->trace.length(0) - 1;
    for (std::uint32_t index = 0; index <= last; index += 1 + last / (test::briefly() ? 15 : 50)) {
      progress.goTo(0, index);
      std::uint64_t products = 0;
      for (const std::uint32_t sum : progress.sums()) products += sum;
      QCOMPARE(progress.products(), products);
      QVERIFY(products >= before);
      before = products;
      // In step, no sum is more than one k ahead of another.
      QVERIFY(std::ranges::max(progress.sums()) - progress.fewestProducts() <= dotDepth(r->trace));
    }
    progress.goTo(0, last);
    const auto all = std::uint64_t{r->trace.kTilesTraced} * r->trace.stepK;
    QCOMPARE(progress.fewestProducts(), std::uint32_t(all));
    QCOMPARE(progress.products(), all * progress.ownedSums());
    QCOMPARE(progress.ownedSums(), std::uint64_t(r->map.c.rows * r->map.c.columns));
    for (std::uint32_t tile = 0; tile < r->trace.kTilesTraced; ++tile)
      QCOMPARE(progress.reached(tile, DataState::Consumed), progress.elementsOf(tile));
  }

  // Forwards in steps, backwards and at once: always the same.
  void theWayDoesNotMatter() {
    for (const char* id : {"shared", "doublebuffered", "async", "tuned", "swizzled", "mmaring"}) {
      const auto r = recorded({.stage = id, .problem = {256, 256, 256}});
      Progress walked(r);
      test::Random random(test::seed());
      const auto length = int(r->trace.length(0));
      for (int round = 0; round < (test::briefly() ? 4 : 16); ++round) {
        const auto index = static_cast<std::uint32_t>(random.integer(0, length - 1));
        walked.goTo(0, index);
        Progress fresh(r);
        fresh.goTo(0, index);
        QVERIFY(std::ranges::equal(walked.sums(), fresh.sums()));
        QVERIFY(std::ranges::equal(walked.sumStamps(), fresh.sumStamps()));
        for (std::uint32_t tile = 0; tile < r->trace.kTiles; ++tile) {
          for (const Matrix m : {Matrix::A, Matrix::B}) {
            const auto *a = walked.tile(m, tile), *b = fresh.tile(m, tile);
            QCOMPARE(a == nullptr, b == nullptr);
            if (a != nullptr) QVERIFY(a->states == b->states && a->stamps == b->stamps);
          }
        }
      }
    }
  }

  // The other block of the cluster loads half of each tile of B: once both have requested a K tile,
  // all of it is requested.
  void theOtherBlockFetchesToo() {
    const auto r = recorded({.stage = "cluster", .problem = {512, 512, 512}, .kTiles = 6});
    Progress progress(r);
    std::uint32_t whole = 0;
    for (std::uint32_t index = 0; index < r->trace.length(0); ++index) {
      progress.goTo(0, index);
      for (std::uint32_t k = 0; k < r->trace.kTiles; ++k) {
        const auto *a = progress.tile(Matrix::A, k), *b = progress.tile(Matrix::B, k);
        if (a == nullptr || b == nullptr) continue;
        const auto is = [](DataState wanted) { return [=](DataState s) { return s == wanted; }; };
        if (!std::ranges::all_of(a->states, is(DataState::InFlight))) continue;
        whole += std::ranges::all_of(b->states, is(DataState::InFlight)) ? 1 : 0;
      }
    }
    QVERIFY(whole > 0);
  }

  void tilesUnderWayAreThoseOfTheRing() {
    const auto under = [](const char* id, int stages = 0) {
      const Stage& s = test::stage(id);
      TileShape tile = s.standardTile();
      if (stages > 0) tile = tile.with(Parameter::STAGES, stages);
      return tilesUnderWay(
          recorded({.stage = id, .tile = tile, .problem = {512, 512, 512}})->trace);
    };
    for (const char* id : {"naive", "shared", "warptiled"}) QCOMPARE(under(id), 1u);
    QCOMPARE(under("doublebuffered"), 2u);
    for (const int stages : {2, 3, 5, 8}) QCOMPARE(under("async", stages), std::uint32_t(stages));
    QCOMPARE(under("mma"), 1u);
    for (const int stages : {2, 3, 4}) QCOMPARE(under("mmaring", stages), std::uint32_t(stages));
    QCOMPARE(under("tma"), 1u);
    for (const int stages : {3, 4}) {
      QCOMPARE(under("overlapped", stages), std::uint32_t(stages));
      // Here another warp issues the loads.
      QCOMPARE(under("specialised", stages), std::uint32_t(stages));
      QCOMPARE(under("consumers", stages), std::uint32_t(stages));
      // Its stage is refilled before the next K tile begins.
      QCOMPARE(under("multistage", stages), std::uint32_t(stages + 1));
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::ProgressTest, Nothing)
#include "progress_test.moc"
