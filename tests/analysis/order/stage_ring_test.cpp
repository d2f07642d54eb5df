// SPDX-License-Identifier: GPL-3.0-or-later
// The ring of stages against other ways to know it: the replay of shared memory, the list of boxes,
// and waits counted by hand.
#include "kernels/analysis/order/stage_ring.h"

#include <QtTest>
#include <bit>
#include <map>
#include <set>

#include "kernels/analysis/memory/boxes.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Kind;
using emulator::Provenance;
using test::recorded;

class StageRingTest : public QObject {
  Q_OBJECT

  static test::RecordingPointer record(const QString& id, const Problem& problem, int kTiles) {
    const Stage& stage = test::stage(id.toStdString());
    TileShape tile = stage.standardTile();
    // As small as the rung allows: every element is looked at.
    if (stage.features().warpgroupMma) {
      tile[Parameter::BM] = 64 * std::max(1, tile[Parameter::CONSUMERS]);
      tile[Parameter::BN] = 64;
    }
    return recorded({.stage = stage.id,
                     .tile = tile,
                     .problem = problem,
                     .kTiles = static_cast<std::uint32_t>(kTiles)});
  }

  static void rows() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<Problem>("problem");
    QTest::addColumn<int>("kTiles");
    for (const char* id : {"doublebuffered", "async", "tuned", "mmaring"})
      QTest::newRow(id) << QString(id) << Problem{256, 256, 512} << 4;
    for (const char* id : {"tma", "wgmma", "multistage", "overlapped"}) {
      QTest::newRow(id) << QString(id) << Problem{256, 256, 512} << 6;
      QTest::addRow("%s, ragged", id) << QString(id) << Problem{72, 56, 328} << 6;
    }
  }

  static std::pair<std::uint32_t, std::uint32_t> anyMoment(const Recording& r,
                                                           test::Random& random) {
    const auto warp = static_cast<std::uint32_t>(random.integer(0, int(r.trace.warps) - 1));
    return {warp, static_cast<std::uint32_t>(random.integer(0, int(r.trace.length(warp)) - 1))};
  }

 private slots:
  // The other block of the cluster requests half of each tile of B: it is in flight, too.
  void whatAnotherBlockAsksFor() {
    const auto r = record("cluster", {256, 256, 512}, 4);
    const auto producer = static_cast<std::uint32_t>(std::ranges::find(r->trace.roles, "producer") -
                                                     r->trace.roles.begin());
    StageRing ring(r);
    std::uint32_t most = 0, whole = 0;
    for (std::uint32_t index = 0; index < r->trace.length(producer); ++index) {
      ring.goTo(producer, index);
      for (std::uint32_t number = 0; number < ring.size(); ++number) {
        const SlotPanel panel = ring.slot(number).panels[1];
        const auto coming = static_cast<std::uint32_t>(
            std::ranges::count(panel.cells, SlotState::OnItsWay, &SlotCell::state));
        most = std::max(most, coming);
        whole = static_cast<std::uint32_t>(panel.cells.size());
      }
    }
    QVERIFY(whole > 0);
    QCOMPARE(most, whole);
  }

  void whoHasOne() {
    std::set<std::string> with;
    for (const Stage* stage : everyStage()) {
      if (hasRing(*stage, stage->standardTile())) with.insert(rungLabel(*stage));
    }
    QCOMPARE(with, (std::set<std::string>{"11", "12", "13", "14", "15", "16", "T3", "T4", "T5",
                                          "T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13"}));
  }

  // Every element has one state, and the arrived elements are the contents of shared memory.
  void sharesAndContents_data() { rows(); }
  void sharesAndContents() {
    QFETCH(const QString, id);
    QFETCH(const Problem, problem);
    QFETCH(const int, kTiles);
    const auto r = record(id, problem, kTiles);
    StageRing ring(r);
    const Derived derived = derive(*r->trace.rung(), r->trace.tile);
    QCOMPARE(int(ring.size()), derived.buffers);
    test::Random random(test::seed());
    for (int round = 0; round < (test::briefly() ? 6 : 24); ++round) {
      const auto [warp, index] = anyMoment(*r, random);
      ring.goTo(warp, index);
      for (std::uint32_t slot = 0; slot < ring.size(); ++slot) {
        const RingSlot s = ring.slot(slot);
        std::uint32_t sum = 0, ofTiles = 0;
        for (const std::uint32_t count : s.counts) sum += count;
        for (const TileShare& share : s.tiles) ofTiles += share.elements;
        QCOMPARE(sum, s.elements);
        QCOMPARE(int(s.elements), (derived.blockM + derived.blockN) * derived.stepK);
        QCOMPARE(ofTiles, sum - s.count(SlotState::Empty) - s.count(SlotState::Other));
        QVERIFY(s.inFlight <= s.count(SlotState::Reading));
      }
      for (std::uint32_t array = emulator::kFirstShared; array < r->trace.arrays.size(); ++array) {
        const auto words = r->contents(array, warp, index);
        for (std::uint32_t e = 0; e < words.size(); ++e) QCOMPARE(ring.held(array, e), words[e]);
      }
    }
  }

  // Where a stage's cells say that an element may be read, it is in that stage, at that place.
  void cellsAreByContent_data() { rows(); }
  void cellsAreByContent() {
    QFETCH(const QString, id);
    QFETCH(const Problem, problem);
    QFETCH(const int, kTiles);
    const auto r = record(id, problem, kTiles);
    StageRing ring(r);
    const Region c = r->map.c;
    test::Random random(test::seed());
    for (int round = 0; round < (test::briefly() ? 4 : 12); ++round) {
      const auto [warp, index] = anyMoment(*r, random);
      ring.goTo(warp, index);
      std::array<std::vector<Provenance>, 2> words;
      for (std::uint32_t m = 0; m < 2; ++m)
        words[m] = r->contents(emulator::kFirstShared + m, warp, index);
      for (std::uint32_t number = 0; number < ring.size(); ++number) {
        const RingSlot slot = ring.slot(number);
        for (std::uint32_t m = 0; m < 2; ++m) {
          const std::size_t each = words[m].size() / ring.size();
          std::set<std::uint32_t> here;
          for (std::size_t e = number * each; e < (number + 1) * each; ++e)
            here.insert(words[m][e].bits());
          const SlotPanel& panel = slot.panels[m];
          for (std::int64_t row = 0; row < panel.rows; ++row) {
            for (std::int64_t column = 0; column < panel.columns; ++column) {
              const SlotCell& cell =
                  panel.cells[static_cast<std::size_t>(row * panel.columns + column)];
              if (cell.state < SlotState::Arrived || cell.state == SlotState::Other) continue;
              const std::int64_t k = std::int64_t{cell.tile} * r->trace.stepK;
              const std::int64_t y = m == 0 ? c.row + row : k + row;
              const std::int64_t x = m == 0 ? k + column : c.column + column;
              const auto& matrix = r->trace.arrays[m];
              const bool outside = y >= matrix.rows || x >= matrix.columns;
              QCOMPARE(cell.outside, outside);
              const Provenance what =
                  outside ? Provenance::outside()
                          : Provenance::element(static_cast<Provenance::Source>(m + 1),
                                                std::uint32_t(y * matrix.columns + x));
              QVERIFY(here.contains(what.bits()));
            }
          }
        }
      }
    }
  }

  // At a whole K tile's border in the midst, each stage holds one K tile, and they are neighbours.
  void aRingHoldsNeighbours() {
    const auto r = record("overlapped", {256, 256, 1024}, 7);
    StageRing ring(r);
    const std::uint32_t at = *r->find(1, 5, emulator::kNoDot);
    ring.goTo(1, at);
    std::set<std::uint32_t> tiles;
    for (std::uint32_t number = 0; number < ring.size(); ++number) {
      const RingSlot slot = ring.slot(number);
      QCOMPARE(slot.tiles.size(), std::size_t{1});
      tiles.insert(slot.tiles.front().tile);
      QCOMPARE(ring.slotOf(slot.tiles.front().tile), std::optional(number));
    }
    QCOMPARE(*tiles.rbegin() - *tiles.begin(), ring.size() - 1);
  }

  // The phase bit is the parity of the ended phases, which waits show; and a phase lacks the bytes
  // that are expected and have not arrived.
  void barriers_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"tma", "wgmma", "multistage", "overlapped"})
      QTest::newRow(id) << QString(id);
  }
  void barriers() {
    QFETCH(const QString, id);
    const auto r = record(id, {256, 256, 512}, 6);
    const emulator::Trace& trace = r->trace;
    StageRing ring(r);
    test::Random random(test::seed());
    for (int round = 0; round < (test::briefly() ? 20 : 100); ++round) {
      const auto [warp, index] = anyMoment(*r, random);
      ring.goTo(warp, index);
      const emulator::Position now = trace.position(warp, index);
      // Counted by hand: expected and requested bytes, and the last phase that was waited for.
      std::map<std::uint32_t, std::uint32_t> expected, asked, arrived, waited;
      std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> boxBytes;
      for (std::uint32_t interval = 0; interval <= now.interval; ++interval) {
        for (std::uint32_t w = 0; w < trace.warps; ++w) {
          const auto view = trace.at(w, interval);
          for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
            if (interval == now.interval && i > now.instruction) break;
            const auto& instruction = view.instructions[i];
            const std::uint32_t* payload =
                view.payload(i, std::uint32_t(std::countr_zero(instruction.mask)));
            if (instruction.kind == Kind::BarrierExpect) {
              expected[payload[0]] += payload[1];
              ++arrived[payload[0]];
            } else if (instruction.kind == Kind::BoxLoad) {
              const auto& box = trace.boxes[payload[1]];
              asked[box.barrier] += box.bytes;
              boxBytes[box.barrier][box.phase] += box.bytes;
            } else if (instruction.kind == Kind::BarrierWait) {
              waited[payload[0]] = std::max(waited[payload[0]], payload[1] + 1);
            }
          }
        }
      }
      std::set<std::uint32_t> found;
      for (std::uint32_t number = 0; number < ring.size(); ++number) {
        const RingSlot slot = ring.slot(number);
        QVERIFY(slot.barrier.has_value());
        found.insert(*slot.barrier);
        const std::uint32_t b = *slot.barrier;
        const BarrierState state = ring.barrier(b);
        const std::uint32_t bytes = slot.elements * 2;
        // A phase has ended when it was waited for and all of its bytes have been requested.
        std::uint32_t over = 0;
        while (over < waited[b] && boxBytes[b][over] == bytes) ++over;
        QCOMPARE(state.phase, over);
        QCOMPARE(state.parity(), over % 2);
        QCOMPARE(state.announced, expected[b] - over * bytes);
        QCOMPARE(state.asked, asked[b] - over * bytes);
        if (state.count > 0) QCOMPARE(state.pending, 1 - (arrived[b] - over));
        // While a phase is open, its missing bytes are in flight, and nothing else is; except at
        // the end of a recording that skips K tiles, where sums of C overwrite boxes without a
        // wait.
        if (slot.count(SlotState::Other) == 0)
          QCOMPARE(slot.count(SlotState::OnItsWay) * 2, state.asked);
        for (const auto& [w, wait] : ring.waiting(b)) QCOMPARE(wait.over, wait.phase < over);
      }
      QCOMPARE(found.size(), std::size_t{ring.size()});
    }
  }

  // Products read a stage until they are waited for, and only then it is consumed.
  void productsInFlight() {
    const auto r = record("overlapped", {256, 256, 1024}, 7);
    StageRing ring(r);
    const auto kind = [](Kind wanted) {
      return [wanted](const emulator::Instruction& i) { return i.kind == wanted && i.kTile == 4; };
    };
    const std::uint32_t commit = test::indexOf(*r, 0, kind(Kind::CommitProducts));
    ring.goTo(0, commit);
    const std::uint32_t reading = *ring.readBy(0);
    const RingSlot now = ring.slot(reading),
                   last = ring.slot((reading + ring.size() - 1) % ring.size());
    QCOMPARE(now.tiles.front().tile, 4u);
    QCOMPARE(now.inFlight, now.elements);
    QCOMPARE(last.tiles.front().tile, 3u);
    QCOMPARE(last.inFlight, last.elements);
    const std::uint32_t wait = test::indexOf(*r, 0, kind(Kind::WaitProducts));
    ring.goTo(0, wait);
    QCOMPARE(ring.slot(reading).inFlight, now.elements);
    QCOMPARE(ring.slot(last.tiles.front().tile % ring.size()).count(SlotState::Consumed),
             last.elements);
  }

  // Copies by thread: in flight, then present for the thread, and after the barrier for all.
  void copiesInThreeSteps() {
    const auto r = record("async", {256, 256, 512}, 5);
    StageRing ring(r);
    const std::uint32_t wait = test::indexOf(*r, 2, [](const emulator::Instruction& i) {
      return i.kind == Kind::CopyWait && i.kTile == 2;
    });
    const auto count = [&](std::uint32_t index, SlotState state) {
      ring.goTo(2, index);
      return ring.slot(*ring.slotOf(2)).count(state);
    };
    const std::uint32_t all = ring.slot(0).elements;
    QCOMPARE(count(wait - 1, SlotState::OnItsWay), all);
    QCOMPARE(count(wait, SlotState::Arrived), all);
    QCOMPARE(count(wait + 1, SlotState::Ready), all);
    QCOMPARE(test::instructionAt(*r, 2, wait + 1).kind, Kind::Barrier);
    const auto groups = *ring.copies(2);
    QCOMPARE(groups.committed - groups.waited, 1u);
  }

  // Going back gives what going forwards gave; and each jump leads to what it says.
  void jumps_data() { rows(); }
  void jumps() {
    QFETCH(const QString, id);
    QFETCH(const Problem, problem);
    QFETCH(const int, kTiles);
    const auto r = record(id, problem, kTiles);
    StageRing ring(r);
    const std::uint32_t warp = r->trace.warps - 1;
    ring.goTo(warp, 0);
    for (std::uint32_t slot = 0; slot < ring.size(); ++slot) {
      auto event = ring.next(slot, warp);
      QVERIFY(event.has_value());
      std::set<int> kinds;
      for (int step = 0; step < 6; ++step) {
        ring.goTo(event->warp, event->index);
        const RingSlot s = ring.slot(slot);
        const auto has = std::ranges::find(s.tiles, event->tile, &TileShare::tile);
        // A warp may reach its wait before another one has issued the load.
        QVERIFY(has != s.tiles.end() || event->what == RingMoment::Waited);
        kinds.insert(int(event->what));
        if (event->what == RingMoment::Read)
          QCOMPARE(ring.readBy(event->warp), std::optional(slot));
        const auto following = ring.next(slot, warp);
        QVERIFY(following.has_value());
        event = following;
      }
      QVERIFY(kinds.size() >= 2);
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::StageRingTest, Nothing)
#include "stage_ring_test.moc"
