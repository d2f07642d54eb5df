// SPDX-License-Identifier: GPL-3.0-or-later
// The virtual clock on programs written by hand, whose times can be computed on paper.
#include "kernels/timeline/clock.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "kernels/timeline/lateness.h"
#include "tests/support/test_class.h"

namespace tileloom::timeline {

class ClockTest : public QObject {
  Q_OBJECT

  // Round numbers: a byte per cycle, latencies that are easy to add.
  static Costs plain() {
    Costs c;
    c.l2Bytes = c.boxL2Bytes = 1;
    c.memoryLatency = 100;
    c.sharedLatency = 20;
    c.fmaLatency = 4;
    c.barrierLatency = 10;
    c.mmaCycles = 8;
    c.mmaLatency = 30;
    c.productCyclesPerColumn = 0.5;
    return c;
  }
  static Operation op(Work work, std::uint32_t kTile = 0) {
    Operation o;
    o.work = work;
    o.kTile = kTile;
    o.brings = kTile;
    return o;
  }
  static Operation counted(Work work, std::uint32_t object, std::uint32_t amount,
                           std::uint32_t kTile = 0) {
    Operation o = op(work, kTile);
    o.object = object;
    o.amount = amount;
    return o;
  }
  static Operation bytes(Work work, std::uint32_t object, std::uint32_t n,
                         std::uint32_t kTile = 0) {
    Operation o = op(work, kTile);
    o.object = object;
    o.bytes = o.announced = n;
    return o;
  }
  static Operation multiply(std::uint32_t n, std::uint32_t kTile = 0, std::uint32_t needs = kNone) {
    Operation o = op(Work::Multiply, kTile);
    o.issues = n;
    o.count = n;
    o.needs[0] = needs;
    return o;
  }
  static Timeline run(const BlockProgram& program, const Costs& costs) {
    const auto t = simulate(program, costs);
    if (!t) qFatal("%s", t.error().c_str());
    return *t;
  }
  static const Lane& laneOf(const Timeline& t, LaneKind kind, std::uint32_t number = 0) {
    for (const Lane& lane : t.lanes) {
      if (lane.kind == kind && lane.number == number) return lane;
    }
    qFatal("there is no such lane");
  }
  static const Lane& warp(const Timeline& t, std::uint32_t number = 0) {
    return laneOf(t, LaneKind::Warp, number);
  }
  static const Span& only(const Lane& lane, Work work) {
    for (const Span& span : lane.spans) {
      if (span.work == work) return span;
    }
    qFatal("there is no such span");
  }
  // Cycles between the wgmma of the tensor lane in which it is idle.
  static double gaps(const Timeline& t, double from) {
    const Lane& lane = laneOf(t, LaneKind::TensorCore);
    double sum = 0;
    for (std::size_t i = 1; i < lane.spans.size(); ++i) {
      if (lane.spans[i - 1].end >= from) sum += lane.spans[i].begin - lane.spans[i - 1].end;
    }
    return sum;
  }

  static BlockProgram multiplying(std::uint32_t tiles) {
    BlockProgram block;
    block.kTiles = tiles;
    Program p;
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      p.operations.push_back(multiply(100, tile));
      p.operations.push_back(op(Work::Barrier, tile));
    }
    block.warps.assign(4, p);
    return block;
  }

  static constexpr std::uint32_t kTiles = 12, kColumns = 128, kSteps = 4;
  static constexpr double kTileCycles = kSteps * kColumns / 2;  // cycles of wgmma

  // A pipeline of `stages` TMA loads and wgmma, with at most `inFlight` groups in flight before the
  // oldest stage is loaded again: 0 is the seed's v1, 1 its v2.
  static BlockProgram ring(std::uint32_t stages, std::uint32_t inFlight, std::uint32_t boxBytes) {
    BlockProgram block;
    block.kTiles = kTiles;
    block.buffers = stages;
    for (std::uint32_t w = 0; w < 4; ++w) {
      Program p;
      const auto order = [&](std::uint32_t tile) {
        if (w != 0 || tile >= kTiles) return;
        p.operations.push_back(bytes(Work::Expect, tile % stages, boxBytes, tile));
        p.operations.push_back(bytes(Work::Box, tile % stages, boxBytes, tile));
      };
      if (w == 0) {
        for (std::uint32_t s = 0; s < stages; ++s)
          p.operations.push_back(counted(Work::StartBarrier, s, 1));
      }
      p.operations.push_back(op(Work::Barrier, emulator::kNoTile));
      for (std::uint32_t tile = 0; tile + inFlight < stages; ++tile) order(tile);
      for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
        p.operations.push_back(counted(Work::WaitBarrier, tile % stages, tile / stages, tile));
        for (std::uint32_t k = 0; k < kSteps; ++k)
          p.operations.push_back(counted(Work::Product, 0, kColumns, tile));
        p.operations.push_back(op(Work::CommitProducts, tile));
        p.operations.push_back(counted(Work::WaitProducts, 0, inFlight, tile));
        // The stage that the oldest group has read is free now.
        order(tile + stages - inFlight);
      }
      block.warps.push_back(std::move(p));
    }
    return block;
  }

 private slots:
  // A load and the operation that needs it: an issue, 64 bytes through L2, the latency, the
  // multiply-adds.
  void aLoadIsWaitedFor() {
    BlockProgram block;
    block.kTiles = 1;
    Program p;
    p.operations = {bytes(Work::Load, 0, 64), multiply(10, 0, 0)};
    block.warps = {p};
    const Timeline t = run(block, plain());
    QCOMPARE(only(warp(t), Work::Load).begin, 0.0);
    const Span& wait = only(warp(t), Work::Wait);
    QCOMPARE(wait.begin, 1.0);
    QCOMPARE(wait.end, 164.0);
    QCOMPARE(wait.on, On::Memory);
    QCOMPARE(only(warp(t), Work::Multiply).end, 174.0);
    QCOMPARE(only(laneOf(t, LaneKind::Flight), Work::Flight).end, 164.0);
    // From the data in flight to the warp.
    QCOMPARE(t.arrows.size(), std::size_t(1));
    QCOMPARE(t.arrows.front().from, 164.0);
    QCOMPARE(t.lanes[t.arrows.front().fromLane].kind, LaneKind::Flight);
    QCOMPARE(t.lanes[t.arrows.front().toLane].kind, LaneKind::Warp);
  }

  // In order: the instructions after a stalled one wait, too, even if they need nothing.
  void aWarpSleepsInOrder() {
    BlockProgram block;
    block.kTiles = 1;
    Program p;
    Operation fragments = op(Work::Fragments);
    fragments.wavefronts = 4;
    p.operations = {fragments, multiply(1, 0, 0), op(Work::Fence)};
    block.warps = {p};
    const Timeline t = run(block, plain());
    // Four wavefronts from 0 to 4, the last one 20 cycles later.
    QCOMPARE(only(warp(t), Work::Multiply).begin, 23.0);
    QCOMPARE(only(warp(t), Work::Fence).begin, 24.0);
    QCOMPARE(only(warp(t), Work::Wait).on, On::Fragments);
  }

  // Two warps of one scheduler: while one waits, the other one multiplies; the shared pipe serves
  // them one after the other.
  void schedulersFillTheGaps() {
    BlockProgram block;
    block.kTiles = 1;
    Program p;
    Operation fragments = op(Work::Fragments);
    fragments.wavefronts = 10;
    p.operations = {fragments, multiply(100, 0, 0)};
    block.warps.assign(5, p);  // warps 0 and 4 share scheduler 0
    const Timeline t = run(block, plain());
    QCOMPARE(only(warp(t, 0), Work::Multiply).begin, 29.0);
    // Its fragments arrive at 69; it can issue when warp 0 has finished.
    QCOMPARE(only(warp(t, 4), Work::Wait).end, 69.0);
    QCOMPARE(only(warp(t, 4), Work::Multiply).begin, 129.0);
    QCOMPARE(t.cycles, 229.0);
  }

  // With the order of the hardware the first of three blocks is ahead of the others; if the warp
  // that is ready for longest goes first, they take turns. All end at about the same time.
  void ordersOfAScheduler() {
    BlockProgram block;
    block.kTiles = 6;
    Program p;
    for (std::uint32_t tile = 0; tile < block.kTiles; ++tile) {
      Operation fragments = op(Work::Fragments, tile);
      fragments.wavefronts = 1;
      p.operations.push_back(fragments);
      p.operations.push_back(
          multiply(50, tile, static_cast<std::uint32_t>(p.operations.size() - 1)));
    }
    block.warps.assign(4, p);
    Costs costs = plain();
    costs.blocks = 3;
    const Timeline turns = run(block, costs);
    costs.order = machine::Order::EarliestBlock;
    const Timeline first = run(block, costs);
    const auto length = [](const Timeline& t) {
      return t.tileStarts.back() - t.tileStarts.front();
    };
    QVERIFY(length(turns) > 5 * 3 * 50);
    QVERIFY(length(first) < 5 * 2.2 * 50);
    QVERIFY(std::abs(turns.cycles / first.cycles - 1) < 0.1);
  }

  void theLastWarpWakesTheOthers() {
    BlockProgram block;
    block.kTiles = 1;
    for (std::uint32_t w = 0; w < 3; ++w) {
      Program p;
      p.operations = {multiply(10 * (w + 1)), op(Work::Barrier), multiply(1)};
      block.warps.push_back(p);
    }
    const Timeline t = run(block, plain());
    // Warp 2 arrives at 31 and the others continue 10 cycles later.
    QCOMPARE(only(warp(t, 0), Work::Wait).begin, 11.0);
    QCOMPARE(only(warp(t, 0), Work::Wait).end, 41.0);
    QCOMPARE(only(warp(t, 0), Work::Wait).on, On::Warps);
    const auto arrow = std::ranges::find(t.arrows, *t.laneOfWarp(0), &Arrow::toLane);
    QVERIFY(arrow != t.arrows.end());
    QCOMPARE(t.lanes[arrow->fromLane].number, 2u);
    QCOMPARE(arrow->from, 31.0);
  }

  // A barrier waits for stores that are still in the queue of the pipe.
  void storesAreThereAtTheBarrier() {
    BlockProgram block;
    block.kTiles = 1;
    Program p;
    Operation fill = op(Work::Fill);
    fill.wavefronts = 50;
    p.operations = {fill, op(Work::Barrier), multiply(1)};
    block.warps = {p};
    QCOMPARE(only(warp(run(block, plain())), Work::Multiply).begin, 60.0);
  }

  // Groups of copies: the newest may be in flight.
  void copyGroups() {
    for (const std::uint32_t newest : {0u, 1u, 2u}) {
      BlockProgram block;
      block.kTiles = 1;
      Program p;
      for (int i = 0; i < 2; ++i) {
        p.operations.push_back(bytes(Work::Copy, 0, 200, std::uint32_t(i)));
        p.operations.push_back(op(Work::CommitCopies));
      }
      p.operations.push_back(counted(Work::WaitCopies, 0, newest));
      p.operations.push_back(multiply(1));
      block.warps = {p};
      const Timeline t = run(block, plain());
      const double begin = only(warp(t), Work::Multiply).begin;
      QCOMPARE(begin, newest == 0 ? 500.0 : newest == 1 ? 300.0 : 5.0);
      // Both are in flight at the same time: in two rows.
      QCOMPARE(laneOf(t, LaneKind::Flight, 1).spans.size(), std::size_t(1));
    }
  }

  // Bytes and arrivals: a phase ends when neither is missing.
  void phasesCountArrivalsAndBytes() {
    BlockProgram block;
    block.kTiles = 2;
    Program producer, consumer;
    producer.operations = {counted(Work::StartBarrier, 7, 2), op(Work::Barrier, emulator::kNoTile),
                           bytes(Work::Expect, 7, 60),        bytes(Work::Box, 7, 40),
                           bytes(Work::Box, 7, 20),           counted(Work::WaitBarrier, 7, 0),
                           bytes(Work::Expect, 7, 10, 1),     bytes(Work::Box, 7, 10, 1)};
    consumer.operations = {
        op(Work::Barrier, emulator::kNoTile), multiply(50),   counted(Work::Arrive, 7, 0),
        counted(Work::WaitBarrier, 7, 0),     multiply(5, 0), counted(Work::Arrive, 7, 0, 1),
        counted(Work::WaitBarrier, 7, 1, 1),  multiply(5, 1)};
    block.warps = {producer, consumer};
    const Timeline t = run(block, plain());
    const Lane& lane = warp(t, 1);
    std::vector<Span> sleeps, products;
    for (const Span& span : lane.spans) {
      if (span.work == Work::Wait && span.on == On::Phase) sleeps.push_back(span);
      if (span.work == Work::Multiply) products.push_back(span);
    }
    QCOMPARE(sleeps.size(), std::size_t(2));
    // The barrier is left at 12; expect until 13, a TMA load issued at 14, 40 cycles, another one
    // immediately after it, 20 cycles, and the latency.
    QCOMPARE(sleeps[0].end, 12.0 + 2 + 60 + 100);
    QCOMPARE(products[1].begin, sleeps[0].end);
    // The second phase: expect and box after the first, 10 bytes.
    QCOMPARE(sleeps[1].end, sleeps[0].end + 2 + 10 + 100);
    // An arrow from the box that arrived last.
    const auto arrow = std::ranges::find_if(t.arrows, [&](const Arrow& a) {
      return a.toLane == *t.laneOfWarp(1) && a.to == sleeps[0].end;
    });
    QVERIFY(arrow != t.arrows.end());
    QCOMPARE(t.lanes[arrow->fromLane].kind, LaneKind::Flight);
  }

  // A wgmma begins when the last warp of its group has issued it; wgmma queue up, also those of two
  // groups.
  void productsQueueUp() {
    BlockProgram block;
    block.kTiles = 1;
    for (std::uint32_t w = 0; w < 8; ++w) {
      Program p;
      if (w == 3) p.operations.push_back(multiply(30));
      p.operations.push_back(counted(Work::Product, 0, 256));
      p.operations.back().wavefronts = 20;  // 80 for the four warps of a group
      p.operations.push_back(counted(Work::Product, 0, 64));
      p.operations.back().wavefronts = 8;
      p.operations.push_back(op(Work::CommitProducts));
      p.operations.push_back(counted(Work::WaitProducts, 0, 0));
      p.operations.push_back(op(Work::Fence));
      block.warps.push_back(p);
    }
    const Timeline t = run(block, plain());
    const auto& spans = laneOf(t, LaneKind::TensorCore).spans;
    QCOMPARE(spans.size(), std::size_t(4));
    // Warp 3 has issued it at 31; warp 7 has the same scheduler and comes after it.
    QCOMPARE(spans[0].begin, 31.0);
    for (std::size_t i = 1; i < spans.size(); ++i) QVERIFY(spans[i].begin >= spans[i - 1].end);
    QCOMPARE(spans[0].end - spans[0].begin, 128.0);
    QCOMPARE(spans[1].end - spans[1].begin, 32.0);
    QCOMPARE(spans.back().end, spans[0].begin + 2 * (128 + 32));
    QCOMPARE(only(warp(t, 0), Work::Fence).begin, spans[1].end);
    QCOMPARE(only(warp(t, 4), Work::Fence).begin, spans[3].end);
    // The data pipe is busy with the operands while the tensor core multiplies.
    const Curve& pipe = t.curves[static_cast<std::size_t>(Unit::Shared)];
    const double end = pipe.step * double(pipe.share.size());  // in whole steps of the curve
    const double wavefronts = pipe.between(0, end) * end;
    QVERIFY2(std::abs(wavefronts - 2 * (80 + 32)) < 0.01, qPrintable(QString::number(wavefronts)));
    QVERIFY(std::abs(pipe.between(64, 128) - 80.0 / 128) < 1e-6);
  }

  // Issuing a TMA copy occupies its thread for some cycles; a complete phase is noticed later, and
  // so is the end of a wgmma.
  void askingNoticingReturning() {
    BlockProgram block;
    block.kTiles = 1;
    Program asker;
    asker.operations = {counted(Work::StartBarrier, 7, 1),
                        bytes(Work::Expect, 7, 60),
                        bytes(Work::Box, 7, 40),
                        bytes(Work::Box, 7, 20),
                        counted(Work::WaitBarrier, 7, 0),
                        op(Work::Fence),
                        counted(Work::WaitBarrier, 7, 0),
                        counted(Work::Product, 0, 64),
                        op(Work::CommitProducts),
                        counted(Work::WaitProducts, 0, 0),
                        op(Work::Fence)};
    block.warps = {asker};
    Costs costs = plain();
    costs.boxAsk = 50;
    costs.phaseLatency = 43;
    costs.productReturn = 58;
    const Timeline t = run(block, costs);
    std::vector<Span> boxes, fences;
    for (const Span& span : warp(t, 0).spans) {
      if (span.work == Work::Box) boxes.push_back(span);
      if (span.work == Work::Fence) fences.push_back(span);
    }
    QCOMPARE(boxes.size(), std::size_t(2));
    QCOMPARE(boxes[0].end - boxes[0].begin, 50.0);
    QCOMPARE(boxes[1].begin, boxes[0].end);
    // Issued at 102, when the first box's 40 bytes had left by 92: 20 more, the latency, and the
    // notice.
    QCOMPARE(fences.size(), std::size_t(2));
    QCOMPARE(fences[0].begin, 102.0 + 20 + 100 + 43);
    const auto& products = laneOf(t, LaneKind::TensorCore).spans;
    QCOMPARE(products.size(), std::size_t(1));
    // Fence and wait take a slot each; noticing a phase that ended long ago takes the same time.
    QCOMPARE(products[0].begin, fences[0].begin + 2 + 43 + 1);
    QCOMPARE(fences[1].begin, products[0].end + 58);
  }

  // TMA stores leave one after the other, and a warp that waits for a group continues when it has
  // been read.
  void boxesThatLeave() {
    BlockProgram block;
    block.kTiles = 2;
    Program asker;
    asker.operations = {bytes(Work::BoxStore, 0, 200),  op(Work::CommitBoxes),
                        bytes(Work::BoxStore, 1, 100),  op(Work::CommitBoxes),
                        counted(Work::WaitBoxes, 0, 1), op(Work::Fence),
                        counted(Work::WaitBoxes, 0, 0), op(Work::Fence)};
    block.warps = {asker};
    const auto noLane = run(block, plain());
    QVERIFY(std::ranges::none_of(noLane.lanes,
                                 [](const Lane& lane) { return lane.kind == LaneKind::Leaving; }));
    block.walks = 2;
    const Timeline t = run(block, plain());
    std::vector<double> fences, sleeps;
    for (const Span& span : warp(t, 0).spans) {
      if (span.work == Work::Fence) fences.push_back(span.begin);
      if (span.work == Work::Wait && span.on == On::Boxes) sleeps.push_back(span.end);
    }
    // A byte per cycle: the first TMA store is issued within cycle 0, and complete at 201.
    QCOMPARE(fences, (std::vector<double>{201, 301}));
    QCOMPARE(sleeps, fences);
    const auto& gone = laneOf(t, LaneKind::Leaving).spans;
    QCOMPARE(gone.size(), std::size_t(2));
    QCOMPARE(gone[0].begin, 1.0);
    QCOMPARE(gone[1].begin, gone[0].end);
    QCOMPARE(gone[1].end, 301.0);
    QCOMPARE(gone[0].kTile, 0u);
    QCOMPARE(gone[1].kTile, 1u);  // the block tile
  }

  // The seed's v1 waits for every wgmma: the tensor core is idle while the next one is issued. v2
  // leaves a group in flight, and there is no gap.
  void v1HasGapsAndV2HasNone() {
    Costs costs = plain();
    costs.l2Bytes = costs.boxL2Bytes = 64;
    const Timeline v1 = run(ring(4, 0, 12000), costs), v2 = run(ring(4, 1, 12000), costs);
    QVERIFY(gaps(v1, v1.tileStarts[4]) > 0);
    QCOMPARE(gaps(v2, v2.tileStarts[4]), 0.0);
    QCOMPARE(v2.cyclesPerTile, kTileCycles);
    QVERIFY(v1.cyclesPerTile > kTileCycles);
    QVERIFY(*v2.busy(Unit::TensorCore) > 0.999);
    QVERIFY(*v1.busy(Unit::TensorCore) < 0.99);
  }

  // Slower memory: a shallow pipeline pays for it, a deep one has prefetched early enough.
  void aDeepRingHidesLatency() {
    Costs near = plain(), far = plain();
    near.boxL2Bytes = far.boxL2Bytes = 64;
    far.delay = 500;
    const double shallow = run(ring(2, 0, 12000), near).cyclesPerTile;
    const double shallowFar = run(ring(2, 0, 12000), far).cyclesPerTile;
    QVERIFY(shallowFar > shallow + 100);
    const double deep = run(ring(6, 1, 12000), near).cyclesPerTile;
    QCOMPARE(run(ring(6, 1, 12000), far).cyclesPerTile, deep);
    QCOMPARE(deep, kTileCycles);
    // v1 hides it worse than v2 with the same number of stages.
    const double v1 = run(ring(3, 0, 12000), far).cyclesPerTile;
    QVERIFY(v1 > run(ring(3, 0, 12000), near).cyclesPerTile);
  }

  // A latency that varies: a load that is waited for at once pays for all of it, each time as late
  // as its K tile.
  void eachKTileIsAsLateAsItIs() {
    BlockProgram program;
    program.kTiles = kTiles;
    Program p;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      const auto at = static_cast<std::uint32_t>(p.operations.size());
      p.operations.push_back(bytes(Work::Load, 0, 64, tile));
      p.operations.push_back(multiply(8, tile, at));
    }
    program.warps = {p};
    Costs near = plain(), varies = plain();
    varies.varies = 512;
    const Timeline before = run(program, near), after = run(program, varies);
    double late = 0;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      late += 512 * lateness(tile, analysis::Matrix::A, 0);
      QVERIFY(std::abs(after.tileStarts[tile] - before.tileStarts[tile] - late) < 0.1);
    }
    QVERIFY(late > 512);
    // And each time the same.
    QCOMPARE(run(program, varies).tileStarts, after.tileStarts);
  }

  // Prefetched copies instead of loads that are waited for at once.
  void copiesAheadCloseTheGap() {
    BlockProgram loads, copies;
    loads.kTiles = copies.kTiles = kTiles;
    copies.buffers = 3;
    Program p, q;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      const auto at = static_cast<std::uint32_t>(p.operations.size());
      p.operations.push_back(bytes(Work::Load, 0, 64, tile));
      Operation fill = op(Work::Fill, tile);
      fill.needs[0] = at;
      p.operations.push_back(fill);
      p.operations.push_back(op(Work::Barrier, tile));
      p.operations.push_back(multiply(200, tile));
      p.operations.push_back(op(Work::Barrier, tile));
    }
    for (std::uint32_t tile = 0; tile < 2; ++tile) {
      q.operations.push_back(bytes(Work::Copy, 0, 64, tile));
      q.operations.push_back(op(Work::CommitCopies, tile));
    }
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      q.operations.push_back(counted(Work::WaitCopies, 0, 1, tile));
      q.operations.push_back(op(Work::Barrier, tile));
      q.operations.push_back(bytes(Work::Copy, 0, 64, tile + 2));
      q.operations.push_back(op(Work::CommitCopies, tile));
      q.operations.push_back(multiply(200, tile));
    }
    loads.warps.assign(4, p);
    copies.warps.assign(4, q);
    Costs costs = plain();
    costs.l2Bytes = 4;
    const Timeline slow = run(loads, costs), fast = run(copies, costs);
    QVERIFY(slow.waiting(On::Memory) > 0.2);
    QCOMPARE(fast.waiting(On::Copies), 0.0);
    QVERIFY(fast.cyclesPerTile < slow.cyclesPerTile - 100);
  }

  // Blocks that share the SM: the same programs, separate barriers, and the time of all.
  void residentBlocksShareTheSm() {
    const BlockProgram block = multiplying(5);
    Costs costs = plain();
    costs.blocks = 3;
    const Timeline t = run(block, costs);
    QCOMPARE(t.blocks, 3);
    QCOMPARE(t.lanes.size(), std::size_t(4));  // those of the first block
    QVERIFY(t.cycles >= 1500);
    QVERIFY(*t.busy(Unit::Fma) > 0.95);
  }

  // No share of a steady state if K is too short for one, however many K tiles that leaves.
  void withoutASteadyStateNothingIsBusyForAShareOfIt() {
    for (std::uint32_t tiles = 1; tiles < 7; ++tiles) {
      const Timeline t = run(multiplying(tiles), plain());
      QCOMPARE(t.steady(), tiles >= 5);
      for (std::size_t u = 0; u < kUnits; ++u)
        QCOMPARE(t.busy(static_cast<Unit>(u)).has_value(), t.steady());
      QCOMPARE(t.busyWithSectors().has_value(), t.steady());
      QCOMPARE(t.has(Who::Multiply), t.steady());
    }
  }

  // L2 and the data pipe by hand: 64 bytes per K tile at 4 per cycle, 2 sectors of 3 cycles each.
  // C, ten times as much after the loop, is not part of the loads of a K tile.
  void cIsNoPartOfWhatAKTileLoads() {
    constexpr std::uint32_t kMany = 10;
    BlockProgram block;
    block.kTiles = kMany;
    Program p;
    for (std::uint32_t tile = 0; tile < kMany; ++tile) {
      const auto at = static_cast<std::uint32_t>(p.operations.size());
      Operation load = bytes(Work::Load, 0, 64, tile);
      load.sectors = 2;
      p.operations.push_back(load);
      // The pipe serves what has arrived at its next request.
      p.operations.push_back(op(Work::Fill, tile));
      p.operations.back().wavefronts = 1;
      p.operations.back().needs[0] = at;
      p.operations.push_back(multiply(50, tile, at));
    }
    Operation ofC = bytes(Work::Load, 0, 640, emulator::kNoTile);
    ofC.matrix = analysis::Matrix::C;
    ofC.sectors = 20;
    p.operations.push_back(ofC);
    block.warps.push_back(p);
    Costs costs = plain();
    costs.l2Bytes = 4;
    costs.sectorCycles = 3;
    const Timeline t = run(block, costs);
    QCOMPARE(*t.busy(Unit::L2), 16 / t.cyclesPerTile);
    QCOMPARE(*t.busyWithSectors(), 6 / t.cyclesPerTile);
    QCOMPARE(*t.busy(Unit::Shared), 7 / t.cyclesPerTile);
    QCOMPARE(*t.busy(Unit::Fma), 12.5 / t.cyclesPerTile);
    QCOMPARE(*t.busy(Unit::Issue), (12.5 + 2 / 4.0) / t.cyclesPerTile);
  }

  // A kernel without shared memory uses the data pipe only for data from memory: 4 sectors of 3
  // cycles each for each of 10 K tiles.
  void whatComesLastPassesTheDataPipeToo() {
    constexpr std::uint32_t kMany = 10;
    BlockProgram block;
    block.kTiles = kMany;
    Program p;
    for (std::uint32_t tile = 0; tile < kMany; ++tile) {
      const auto at = static_cast<std::uint32_t>(p.operations.size());
      Operation load = bytes(Work::Load, 0, 64, tile);
      load.sectors = 4;
      p.operations.push_back(load);
      p.operations.push_back(multiply(50, tile, at));
    }
    block.warps.push_back(p);
    Costs costs = plain();
    costs.sectorCycles = 3;
    const Timeline t = run(block, costs);
    const Curve& pipe = t.curves[static_cast<std::size_t>(Unit::Shared)];
    double busy = 0;
    for (const float share : pipe.share) busy += double(share) * pipe.step;
    QVERIFY2(std::abs(busy - 12 * kMany) < 1e-3, qPrintable(QString::number(busy)));
    QCOMPARE(*t.busyWithSectors(), 12 / t.cyclesPerTile);
    QCOMPARE(*t.busy(Unit::Shared), 12 / t.cyclesPerTile);
  }

  void theSameEveryTime() {
    const BlockProgram block = ring(3, 1, 9000);
    Costs costs = plain();
    costs.l2Bytes = costs.boxL2Bytes = 40;
    costs.blocks = 2;
    const Timeline one = run(block, costs), other = run(block, costs);
    QCOMPARE(one.cycles, other.cycles);
    QCOMPARE(one.arrows.size(), other.arrows.size());
    for (std::size_t i = 0; i < one.lanes.size(); ++i) {
      QCOMPARE(one.lanes[i].spans.size(), other.lanes[i].spans.size());
      double before = 0;
      for (std::size_t s = 0; s < one.lanes[i].spans.size(); ++s) {
        const Span& span = one.lanes[i].spans[s];
        QCOMPARE(span.begin, other.lanes[i].spans[s].begin);
        QVERIFY(span.begin >= before && span.end >= span.begin);
        before = span.end;
      }
    }
  }

  void whoSleepsForEverIsNamed_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("words");
    QTest::newRow("bytes") << 0 << "lacks 0 arrivals and 24 bytes";
    QTest::newRow("arrival") << 1 << "phase 0 of barrier 3 (0 phases are complete) lacks 1";
    QTest::newRow("warps") << 2 << "1 of 2 warps are at its __syncthreads()";
    QTest::newRow("wgmma") << 3 << "wgmma 0 of its warpgroup";
  }
  void whoSleepsForEverIsNamed() {
    QFETCH(int, which);
    QFETCH(QString, words);
    BlockProgram block;
    Program p, other;
    if (which == 0) {
      p.operations = {counted(Work::StartBarrier, 3, 1), bytes(Work::Expect, 3, 64),
                      bytes(Work::Box, 3, 40), counted(Work::WaitBarrier, 3, 0), op(Work::Fence)};
    } else if (which == 1) {
      p.operations = {counted(Work::StartBarrier, 3, 1), counted(Work::WaitBarrier, 3, 0),
                      op(Work::Fence)};
    } else if (which == 2) {
      p.operations = {op(Work::Barrier), op(Work::Fence)};
      // Waiting before it gets there.
      other.operations = {counted(Work::StartBarrier, 3, 1), counted(Work::WaitBarrier, 3, 0),
                          op(Work::Barrier)};
    } else {
      p.operations = {counted(Work::Product, 0, 64), op(Work::CommitProducts),
                      counted(Work::WaitProducts, 0, 0), op(Work::Fence)};
      other.operations = {op(Work::Fence)};
    }
    block.warps = {p};
    if (!other.operations.empty()) block.warps.push_back(other);
    const auto t = simulate(block, plain());
    QVERIFY(!t.has_value());
    QVERIFY2(QString::fromStdString(t.error()).contains(words), t.error().c_str());
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::ClockTest, Nothing)
#include "clock_test.moc"
