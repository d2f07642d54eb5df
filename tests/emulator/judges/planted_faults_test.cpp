// SPDX-License-Identifier: GPL-3.0-or-later
// Planted faults, as sequences of events: no kernel, no thread and no memory is behind them. Each
// row has a sequence with one fault, its sentence, and the nearest sequence that is correct.
#include <QtTest>

#include <functional>
#include <map>
#include <memory>
#include <set>

#include "kernels/tile/mma_table.h"
#include "tests/support/event_script.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator::judges {
namespace {

using test::q;

using Sequence = std::function<void(EventScript&)>;

struct PlantedCase {
  const char* name;
  Order order;
  FaultKind kind;
  const char* sentence;  // between "by thread … " or "thread …" and the place
  Sequence wrong, right;
};

// Both sequences with a switch between them.
PlantedCase row(const char* name, Order order, FaultKind kind, const char* sentence,
                const std::function<void(EventScript&, bool right)>& both) {
  return {name,
          order,
          kind,
          sentence,
          [both](EventScript& s) { both(s, false); },
          [both](EventScript& s) { both(s, true); }};
}

event::Attempt elements(std::int64_t index, std::uint32_t count, std::uint32_t parts) {
  return {EventScript::at(3, 9), kAs, index, count, 4096, parts, true};
}

Factors rightFactors() {
  constexpr const MmaRow& kMma = kMmaTable[static_cast<std::size_t>(kUsualWarpMma)];
  Factors factors;
  for (std::uint32_t k = 0; k < kMma.depth; ++k) {
    for (std::uint32_t i = 0; i < kMma.rows; ++i)
      factors.a[i][k] = Provenance::element(Provenance::Source::A, i * kEdge + k);
    for (std::uint32_t i = 0; i < kMma.columns; ++i)
      factors.b[k][i] = Provenance::element(Provenance::Source::B, k * kEdge + i);
  }
  return factors;
}

// clang-format off
std::vector<PlantedCase> plantedCases() {
  using enum FaultKind;
  constexpr Order kIntervals = Order::Intervals, kClocks = Order::Clocks;
  std::vector<PlantedCase> rows;
  const auto add = [&](PlantedCase row) { rows.push_back(std::move(row)); };

  // ---- bounds
  add(row("an element past its array", kIntervals, OutOfBounds,
          "store of As[4096] (4096 elements) by thread 3 of block (0, 0)",
          [](EventScript& s, bool right) { s.allows(elements(right ? 4095 : 4096, 1, 2)); }));
  add(row("an element before its array", kIntervals, OutOfBounds,
          "store of As[-1] (4096 elements) by thread 3 of block (0, 0)",
          [](EventScript& s, bool right) { s.allows(elements(right ? 0 : -1, 1, 2)); }));
  add(row("a wide access that is not aligned", kIntervals, Misaligned,
          "store of As[6] by thread 3 of block (0, 0)",
          [](EventScript& s, bool right) { s.allows(elements(right ? 8 : 6, 4, 1)); }));
  add(row("a row in global memory", kIntervals, OutOfBounds,
          "thread 3 of block (0, 0) names a row of A to load_matrices, which reads shared memory "
          "only",
          [](EventScript& s, bool right) {
            event::RowAttempt row{{EventScript::at(3, 9), right ? kAs : kArrayA, 0, 8, 4096, 2}};
            s.allows(row);
          }));
  add(row("an operand outside shared memory", kClocks, OutOfBounds,
          "thread 3 of block (0, 0) issues a wgmma whose operand is at byte 8192 of shared memory, "
          "which has 8192",
          [](EventScript& s, bool right) {
            s.allows(event::OperandRead{EventScript::at(3, 9), right ? 8188u : 8192u});
          }));
  add(row("a box off the pattern of its swizzle", kClocks, Misaligned,
          "thread 0 of block (0, 0) requests a box at byte 64 of shared memory, but one with a "
          "swizzle of 64 bytes must begin at a multiple of 512",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, right ? 0 : 16, 5);
            s.awaitByAll(0, 0);
            s.end();
          }));
  add(row("a box past its array", kClocks, OutOfBounds,
          "thread 0 of block (0, 0) requests a box of 256 elements at As[3856], which has 4096",
          [](EventScript& s, bool right) {
            BoxRecord box;
            box.columns = 32, box.rows = 8, box.swizzle = 0, box.array = kAs;
            s.allows(event::BoxPlace{EventScript::at(0, 9), right ? 3840 : 3856, &box});
          }));
  add(row("more groups than a recording has room for", kIntervals, OutOfBounds,
          "thread 0 of block (0, 0) waits until at most 16 groups are in flight, but a trace has "
          "room for 15: wait for more of them",
          [](EventScript& s, bool right) { s.awaitCopies(0, right ? 15 : 16, 4); }));
  add(row("a block that the cluster has not", kClocks, OutOfBounds,
          "thread 0 of block (0, 0) requests a box for the block with rank 1, and its cluster has "
          "1",
          [](EventScript& s, bool right) {
            s.allows(event::PeerUse{EventScript::at(0, 4), right ? 0u : 1u, "requests a box for"});
          }));
  add(row("a register outside its array", kIntervals, OutOfBounds,
          "load of acc[8] (8 elements) by thread 5 of block (0, 0)",
          [](EventScript& s, bool right) {
            if (!right) s.see(event::RegisterOutside{EventScript::at(5, 4), "acc", 8, 8});
          }));

  // ---- reads of what is not there
  for (const Order order : {kIntervals, kClocks}) {
    add(row("a read of a word that was never written", order, Unwritten,
            "load of As[14] by thread 3 of block (0, 0)",
            [](EventScript& s, bool right) {
              if (right) s.store(3, 7, 4);
              s.load(3, 7, 5);
            }));
    add(row("a read of a copy in flight", order, NotArrived,
            "load of As[14] by thread 3 of block (0, 0)",
            [](EventScript& s, bool right) {
              s.copy(3, 7, 4);
              s.commit(3, 5);
              s.copy(3, 8, 4);
              s.commit(3, 5);
              s.awaitCopies(3, right ? 1 : 2, 6);
              s.load(3, 7, 7);
            }));
    add(row("a copy in no group", order, NotArrived, "load of As[14] by thread 3 of block (0, 0)",
            [](EventScript& s, bool right) {
              s.copy(3, 7, 4);
              if (right) s.commit(3, 5);
              s.awaitCopies(3, 0, 6);
              s.load(3, 7, 7);
            }));
    add(row("a store over a copy in flight", order, Race,
            "store of As[14] by thread 3 of block (0, 0) against thread 3 with no barrier in "
            "between",
            [](EventScript& s, bool right) {
              s.copy(3, 7, 4);
              s.commit(3, 5);
              if (right) s.awaitCopies(3, 0, 6);
              s.store(3, 7, 7);
            }));
    add(row("a copy that another thread has waited for", order, Race,
            "load of As[14] by thread 40 of block (0, 0) against thread 3 with no barrier in "
            "between",
            [](EventScript& s, bool right) {
              s.copy(3, 7, 4);
              s.commit(3, 5);
              s.awaitCopies(3, 0, 6);
              if (right) s.pass();
              s.load(40, 7, 7);
            }));
    // ---- races
    add(row("a read of another thread's store", order, Race,
            "load of As[14] by thread 40 of block (0, 0) against thread 3 with no barrier in "
            "between",
            [](EventScript& s, bool right) {
              s.store(3, 7, 4);
              if (right) s.pass();
              s.load(40, 7, 5);
            }));
    add(row("a store over another thread's store", order, Race,
            "store of As[14] by thread 40 of block (0, 0) against thread 3 with no barrier in "
            "between",
            [](EventScript& s, bool right) {
              s.store(3, 7, 4);
              if (right) s.pass();
              s.store(40, 7, 5);
            }));
  }
  add(row("a store over another thread's read", kIntervals, Race,
          "store of As[14] by thread 40 of block (0, 0) against thread 5 with no barrier in "
          "between",
          [](EventScript& s, bool right) {
            s.store(3, 7, 4);
            s.pass();
            s.load(5, 7, 5);
            if (right) s.pass();
            s.store(40, 7, 6);
          }));
  add(row("a store over reads of several threads", kIntervals, Race,
          "store of As[14] by thread 40 of block (0, 0) against several threads with no barrier in "
          "between",
          [](EventScript& s, bool right) {
            s.store(3, 7, 4);
            s.pass();
            s.load(5, 7, 5);
            s.load(6, 7, 5);
            if (right) s.pass();
            s.store(40, 7, 6);
          }));
  add(row("a store over a read that no barrier orders", kClocks, Race,
          "thread 40 of block (0, 0) overwrites As[14], which thread 5 reads with no barrier in "
          "between",
          [](EventScript& s, bool right) {
            s.store(3, 7, 4);
            s.pass();
            s.load(5, 7, 5);
            if (right) s.pass();
            s.store(40, 7, 6);
          }));
  add(row("a row of stmatrix over a read", kClocks, Race,
          "thread 40 of block (0, 0) overwrites As[14], which thread 5 reads with no barrier in "
          "between",
          [](EventScript& s, bool right) {
            s.store(3, 7, 4);
            s.pass();
            s.see(event::RowLoad{EventScript::word(5, 7, 5)});
            if (right) s.pass();
            s.see(event::RowStore{EventScript::word(40, 7, 6)});
          }));
  add(row("a named barrier of other threads", kClocks, Race,
          "load of As[14] by thread 40 of block (0, 0) against thread 3 with no barrier in between",
          [](EventScript& s, bool right) {
            s.store(3, 7, 4);
            s.see(event::MeetingArrived{EventScript::at(3, 5), 1});
            if (right) s.see(event::MeetingArrived{EventScript::at(40, 5), 1});
            s.see(event::MeetingEnded{1});
            s.see(event::MeetingLeft{right ? 40u : 70u, 1});
            s.load(40, 7, 6);
          }));

  // ---- TMA loads
  add(row("a read of a box that was not waited for", kClocks, NotArrived,
          "thread 40 of block (0, 0) reads As[0], of the box of A at row 0 and column 0 (line 5), "
          "and has not waited for phase 0 of full[0]",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, 0, 5);
            if (right) s.await(40, 0, 0);
            s.load(40, 0, 6);
          }));
  add(row("a wait for an earlier phase", kClocks, NotArrived,
          "thread 40 of block (0, 0) reads As[0], of the box of A at row 0 and column 0 (line 6), "
          "and has not waited for phase 1 of full[0]",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, 512, 5);
            s.await(0, 0, 0);
            s.fetch(0, 0, 6);
            s.await(40, 0, right ? 1 : 0);
            s.load(40, 0, 7);
          }));
  add(row("a box over a box in flight", kClocks, Race,
          "thread 0 of block (0, 0) overwrites As[0], of the box of A at row 0 and column 0 (line "
          "5), and has not waited for phase 0 of full[0]",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, 0, 5);
            if (right) s.await(0, 0, 0);
            s.fetch(1, 0, 6);
            s.awaitByAll(0, 0), s.awaitByAll(1, 0);
            s.end();
          }));
  add(row("a box over a read of a thread, without a fence", kClocks, NoFence,
          "thread 0 of block (0, 0) loads a box over As[0], which thread 40 has read without "
          "fence_async(): that read may still be in flight",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, 0, 5);
            s.awaitByAll(0, 0);
            s.load(40, 0, 6);
            if (right) s.fence(40, 7);
            s.pass();
            s.fetch(1, 0, 8);
          }));
  add(row("a box that no thread waits for", kClocks, LeftUnderWay,
          "thread 0 of block (0, 0) requests the box of A at row 0 and column 0 (line 5), and the "
          "block ends without a wait for phase 0 of full[0]",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, 0, 5);
            if (right) s.await(0, 0, 0);
            s.end();
          }));
  add(row("fewer bytes than announced", kClocks, LeftUnderWay,
          "thread 0 of block (0, 0) leaves phase 0 of full[0] unfinished: of 528 expected bytes, 1 "
          "TMA load brings 512: the box of A at row 0 and column 0 (line 5)",
          [](EventScript& s, bool right) {
            s.startAll();
            s.expect(0, 0, kBoxWords * 4 + (right ? 0 : 16), 4);
            s.box(0, 0, 0, 5);
            if (right) s.await(0, 0, 0);
            s.end();
          }));

  // ---- mbarriers
  add(row("a barrier that does not exist", kClocks, OutOfBounds,
          "thread 3 of block (0, 0) names barrier 2 in wait, and the block has 2",
          [](EventScript& s, bool right) {
            s.startAll();
            s.use(3, right ? 1 : 2, 5, "wait");
          }));
  add(row("a barrier that no thread has started", kClocks, NoFence,
          "thread 3 of block (0, 0) uses full[0] in wait before any thread has started it",
          [](EventScript& s, bool right) {
            if (right) s.startAll();
            s.use(3, 0, 5, "wait");
          }));
  add(row("a barrier whose start is not known", kClocks, NoFence,
          "thread 40 of block (0, 0) uses full[0] in wait, which thread 0 has started with no "
          "__syncthreads() in between",
          [](EventScript& s, bool right) {
            s.start(0, 0, 4);
            if (right) s.pass();
            s.use(40, 0, 5, "wait");
          }));
  add(row("a box on a barrier that was not published", kClocks, NoFence,
          "thread 0 of block (0, 0) requests a box on full[0], which is not yet visible to TMA: "
          "call publish_barriers() after start()",
          [](EventScript& s, bool right) {
            s.start(0, 0, 4);
            if (right) s.publish(0, 4);
            s.fetch(0, 0, 5);
          }));
  add(row("an arrival before the last phase was seen to end", kClocks, EarlyArrival,
          "thread 0 of block (0, 0) arrives at full[0] in phase 1 and has not waited for phase 0 "
          "to end",
          [](EventScript& s, bool right) {
            s.startAll();
            s.expect(0, 0, 0, 5);
            if (right) s.await(0, 0, 0);
            s.expect(0, 0, 0, 6);
          }));
  add(row("a wait that never ends", kClocks, Deadlock,
          "thread 5 of block (0, 0) and all others that have not ended wait forever: 2 threads "
          "from 5 on wait in line 8 for the end of phase 0 of full[0]: it lacks 1 of 2 arrivals, "
          "and thread 0, which arrived last (line 5), has ended; thread 9 waits at the "
          "__syncthreads() of line 9, which not all threads reach",
          [](EventScript& s, bool right) {
            s.start(0, 0, 1, 2);
            s.expect(0, 0, 0, 5);
            s.see(event::ThreadEnded{0});
            using event::Cause;
            if (right) return s.deadlock({});  // no thread waits
            s.deadlock({{5, Cause::Barrier, 0, 0, {8}}, {6, Cause::Barrier, 0, 0, {8}},
                        {9, Cause::Block, 0, 0, {9}}});
          }));

  // ---- products
  add(row("a product over a box in flight", kClocks, NotArrived,
          "thread 0 of block (0, 0) issues a wgmma that reads As[0], of the box of A at row 0 and "
          "column 0 (line 5), and has not waited for phase 0 of full[0]",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, 0, 5);
            if (right) s.await(0, 0, 0);
            s.fenceProducts(0, 6);
            s.product(0, 0, 7);
          }));
  add(row("a product of what a thread has stored, without a fence", kClocks, NoFence,
          "thread 0 of block (0, 0) issues a wgmma that reads As[0], which thread 40 has stored "
          "without fence_async()",
          [](EventScript& s, bool right) {
            s.store(40, 0, 4);
            if (right) s.fence(40, 5);
            s.pass();
            s.fenceProducts(0, 6);
            s.product(0, 0, 7);
          }));
  add(row("a product of what a thread has stored and read", kClocks, NoFence,
          "thread 0 of block (0, 0) issues a wgmma that reads As[0], which thread 3 has stored "
          "without fence_async()",
          [](EventScript& s, bool right) {
            s.fenceProducts(0, 3);
            s.store(3, 0, 4);
            if (right) s.fence(3, 5);
            s.load(3, 0, 6);
            s.product(0, 0, 7);
          }));
  add(row("a box over products in flight", kClocks, Race,
          "thread 0 of block (0, 0) overwrites As[0], which warp 0 multiplies in line 6: for this "
          "thread, group 0 of these wgmma instructions is still in flight",
          [](EventScript& s, bool right) {
            s.startAll();
            s.fetch(0, 0, 5);
            s.awaitByAll(0, 0);
            s.multiply(6);
            if (right) s.see(event::ProductsEnded{0, 1});
            s.fetch(1, 0, 8);
          }));
  add(row("a product without fence_products", kClocks, NoFence,
          "thread 0 of block (0, 0) issues a wgmma without fence_products(): its accumulators may "
          "not be written yet",
          [](EventScript& s, bool right) {
            if (right) s.fenceProducts(0, 5);
            event::Product product{EventScript::at(0, 6), 0, 0, 0, 8, 0, 0};
            s.see(product);
          }));
  add(row("a sum that the tensor core still updates", kClocks, UnderWay,
          "thread 40 of block (0, 0) uses accumulator 1, which the tensor core still updates: the "
          "wgmma of line 6 is in group 0, which has not been waited for",
          [](EventScript& s, bool right) {
            s.store(40, 0, 3);
            s.fence(40, 4);
            s.pass();
            s.multiply(6);
            s.see(event::SumUse{EventScript::at(40, 7), 1,
                                right ? Provenance::accumulator(1) : Provenance::underWay()});
          }));
  add(row("a lane that issues another product", kClocks, Disagreement,
          "thread 5 of block (0, 0) issues a different wgmma from lane 0 of its warp in line 7: "
          "all 32 lanes must issue the same one",
          [](EventScript& s, bool right) {
            s.store(0, 0, 3), s.fence(0, 4), s.fenceProducts(0, 6);
            s.product(0, 0, 7, 0, [&](event::Product& product) {
              if (!right && product.at.thread == 5) product.a = 1;
            });
          }));
  add(row("a warp that issues another product", kClocks, Disagreement,
          "thread 63 of block (0, 0) issues a different wgmma from warp 0 in line 7: the four "
          "warps of a warpgroup must issue the same one",
          [](EventScript& s, bool right) {
            s.store(0, 0, 3), s.fence(0, 4), s.pass();
            s.fenceProducts(0, 6), s.fenceProducts(1, 6);
            s.product(0, 0, 7);
            s.product(1, 0, right ? 7 : 8);
          }));
  add(row("a warp that issues no product", kClocks, Disagreement,
          "thread 32 of block (0, 0) and its warp do not issue the wgmma that warp 0 issues: the "
          "four warps of a warpgroup must issue it together",
          [](EventScript& s, bool right) {
            s.store(0, 0, 3), s.fence(0, 4), s.pass();
            for (std::uint32_t warp = 0; warp < 4; ++warp) s.fenceProducts(warp, 6);
            for (std::uint32_t warp = 0; warp < 4; ++warp) {
              if (right || warp != 1) s.product(warp, 0, 7);
            }
            s.end();
          }));
  add(row("a product whose k differ", kClocks, WrongFragment,
          "thread 31 of block (0, 0) issues a wgmma with B[1][0] in B, which is multiplied by "
          "elements of A with k = 0: their k differ",
          [](EventScript& s, bool right) {
            ProductRecord record;
            record.columns = 8;
            record.a.swizzle = record.b.swizzle = 64;
            record.factorsA = EventScript::factors(Provenance::Source::A, 16, kProductDepth);
            record.factorsB = EventScript::factors(Provenance::Source::B, kProductDepth, 8);
            if (!right) {
              std::vector<Provenance> list = *record.factorsB;
              for (Provenance& p : list)
                p = Provenance::element(Provenance::Source::B, p.index() + kEdge);
              record.factorsB = std::make_shared<const std::vector<Provenance>>(list);
            }
            s.executed(0, record, 7);
          }));
  add(row("an mma whose k differ", kIntervals, WrongFragment,
          "thread 0 of block (0, 0) holds B[16][0] in pair 0 of its part of B, lane 0, which is "
          "multiplied by A[0][0]: their k differ",
          [](EventScript& s, bool right) {
            Factors factors = rightFactors();
            if (!right) factors.b[0][0] = Provenance::element(Provenance::Source::B, 16 * kEdge);
            event::Mma mma{0, &factors, {}};
            mma.sites.fill({7});
            s.see(mma);
          }));

  // ---- lanes
  add(row("a lane that stays away", kIntervals, Disagreement,
          "thread 37 of block (0, 0) does not reach the multiply_add of line 7, where thread 32 "
          "is: all 32 lanes must execute it together",
          [](EventScript& s, bool right) {
            event::Together together{1, right ? ~0u : ~(1u << 5), {}};
            together.asked.fill({Kind::Mma, false, {7}});
            s.allows(together);
          }));
  add(row("a lane at another instruction", kIntervals, Disagreement,
          "thread 37 of block (0, 0) is at the load_matrices_turned of line 7, and thread 32 at "
          "the load_matrices of line 7: all 32 lanes must execute the same one",
          [](EventScript& s, bool right) {
            event::Together together{1, ~0u, {}};
            together.asked.fill({Kind::MatrixLoad, false, {7}});
            together.asked[5].turned = !right;
            s.allows(together);
          }));
  add(row("a lane that does not wait", kClocks, Disagreement,
          "thread 5 of block (0, 0) executes commit_products once, and lane 0 of its warp 2 times: "
          "all 32 lanes must execute it together",
          [](EventScript& s, bool right) {
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
              s.see(event::CommitProducts{EventScript::at(lane, 7)});
              if (right || lane != 5) s.see(event::CommitProducts{EventScript::at(lane, 8)});
            }
            s.end();
          }));
  add(row("threads that meet in other numbers", kClocks, Disagreement,
          "thread 40 of block (0, 0) meets 128 threads at barrier 1, but 64 are to meet there by "
          "line 4",
          [](EventScript& s, bool right) {
            s.allows(event::Meet{EventScript::at(40, 5), 1, right ? 64u : 128u, 32, 64, {4}});
          }));

  // ---- registers
  add(row("registers that cannot be set", kClocks, Registers,
          "thread 0 of block (0, 0) sets its warp to 20 registers per thread in keep_registers: "
          "choose a multiple of 8 from 24 to 256",
          [](EventScript& s, bool right) {
            s.allows(event::KeepRegisters{EventScript::at(0, 5), right ? 24u : 20u, 168});
          }));
  add(row("registers that the warp has not", kClocks, Registers,
          "thread 0 of block (0, 0) is to keep 240 registers per thread but has 168",
          [](EventScript& s, bool right) {
            s.allows(event::KeepRegisters{EventScript::at(0, 5), right ? 168u : 240u, 168});
          }));
  add(row("registers that the warp has already", kClocks, Registers,
          "thread 0 of block (0, 0) is to take up to 40 registers per thread but already has 168",
          [](EventScript& s, bool right) {
            s.allows(event::TakeRegisters{EventScript::at(0, 5), right ? 168u : 40u, 168});
          }));

  // ---- TMA stores
  add(row("a TMA store of what a thread has stored, without a fence", kClocks, NoFence,
          "thread 0 of block (0, 0) issues a TMA store of As[0], which thread 40 has stored "
          "without fence_async()",
          [](EventScript& s, bool right) {
            s.store(40, 0, 4);
            if (right) s.fence(40, 5);
            s.pass();
            s.agentLoad(0, event::Agent::Stores, 0, 0, 7);
          }));
  for (const bool ends : {false, true}) {
    add(row(ends ? "a TMA store that no thread waits for" : "a store over a TMA store in flight",
            kClocks, ends ? LeftUnderWay : Race,
            ends ? "thread 0 of block (0, 0) issues a TMA store, and the block, with its shared "
                   "memory, ends without a wait_boxes() for it"
                 : "thread 0 of block (0, 0) overwrites As[0], which the TMA store of line 7 "
                   "reads: for this thread (wait_boxes), group 0 of these stores may still be in "
                   "flight",
            [ends](EventScript& s, bool right) {
              s.store(0, 0, 4);
              s.fence(0, 5);
              s.agentLoad(0, event::Agent::Stores, 0, 0, 7);
              BoxStoreRecord store;
              store.box.line = 7;
              s.see(event::BoxStored{EventScript::at(0, 7), store});
              if (right) s.see(event::BoxesRead{EventScript::at(0, 8), 1});
              if (ends) return s.end();
              s.store(0, 0, 9);
            }));
  }

  // ---- sums for other blocks
  add(row("a flag before all sums are left", kClocks, Race,
          "thread 0 of block (0, 0) sets the flag of its warpgroup's sums, but the sums of thread "
          "1 are not ordered before it",
          [](EventScript& s, bool right) {
            for (std::uint32_t thread = 0; thread < (right ? 128u : 1u); ++thread)
              s.see(event::SumsLeft{EventScript::at(thread, 4)});
            s.pass();
            s.see(event::FlagSet{EventScript::at(0, 5), 7});
          }));
  add(row("a flag that is never set", kClocks, Deadlock,
          "thread 0 of block (0, 0) waits for sums of another block, which has left none",
          [](EventScript& s, bool right) {
            for (std::uint32_t thread = 0; right && thread < 128; ++thread)
              s.see(event::SumsLeft{EventScript::at(thread, 4)});
            s.pass();
            if (right) s.see(event::FlagSet{EventScript::at(0, 5), 7});
            s.allows(event::FlagAwait{EventScript::at(0, 6), 7});
          }));
  add(row("sums that are added before the wait", kClocks, Race,
          "thread 40 of block (0, 0) adds sums of another block, but no wait of its warpgroup for "
          "them is ordered before it",
          [](EventScript& s, bool right) {
            s.see(event::FlagAwaited{EventScript::at(0, 6)});
            if (right) s.pass();
            s.see(event::SumsAdded{EventScript::at(40, 7)});
          }));
  return rows;
}
// clang-format on

QString saidOf(const Fault& fault) {
  const QString text = q(describe(fault));
  const QString kind = q(std::string(name(fault.kind))) + ": ";
  const QString place = QString(", kernel at file:%1").arg(fault.line);
  if (!text.startsWith(kind) || !text.endsWith(place)) return text;
  return text.mid(kind.size(), text.size() - kind.size() - place.size());
}

}  // namespace

class PlantedFaultsTest : public QObject {
  Q_OBJECT

 private slots:
  void planted_data() {
    QTest::addColumn<int>("number");
    const std::vector<PlantedCase> rows = plantedCases();
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
      const PlantedCase& row = rows[static_cast<std::size_t>(i)];
      QTest::addRow("%s, %s", row.name, row.order == Order::Clocks ? "clocks" : "intervals") << i;
    }
  }
  void planted() {
    QFETCH(int, number);
    const PlantedCase row = plantedCases()[static_cast<std::size_t>(number)];
    std::map<std::int64_t, Fault> flags;
    EventScript wrong(row.order, &flags);
    row.wrong(wrong);
    QVERIFY(!wrong.faults().empty());
    QCOMPARE(saidOf(wrong.faults().kept.front()), QString(row.sentence));
    QVERIFY(wrong.faults().kept.front().kind == row.kind);
    flags.clear();
    EventScript right(row.order, &flags);
    row.right(right);
    QVERIFY2(right.faults().empty(),
             right.faults().empty() ? "" : describe(right.faults().kept.front()).c_str());
  }

  // A lack of memory is the executor's own.
  void everyKindIsPlanted() {
    std::set<FaultKind> kinds;
    for (const PlantedCase& row : plantedCases()) kinds.insert(row.kind);
    QCOMPARE(kinds.size(), static_cast<std::size_t>(FaultKind::OutOfMemory));
    QVERIFY(!kinds.contains(FaultKind::OutOfMemory));
  }

  // An access to another block of the cluster must come before that block ends.
  void aBlockThatMayHaveEnded() {
    for (const bool right : {false, true}) {
      EventScript first(Order::Clocks), second(Order::Clocks);
      Judges* const cluster[] = {&first.judges(), &second.judges()};
      Judges::join(cluster);
      first.see(event::Visit{EventScript::at(3, 9), 1, "arrives at a barrier of"});
      const std::uint32_t warps[] = {0xF, 0xF};
      if (right) first.see(event::ClusterBarrierPassed{warps});
      second.end();
      QCOMPARE(first.faults().total, std::uint64_t{right ? 0u : 1u});
      QVERIFY(second.faults().empty());
      if (right) continue;
      QCOMPARE(saidOf(first.faults().kept.front()),
               QString("thread 3 of block (0, 0) arrives at a barrier of the block with rank 1, "
                       "which may already have ended: both must execute a meet_cluster() "
                       "afterwards"));
    }
  }

  // An executor of machine code knows addresses, and no arrays but its whole shared memory.
  void aSiteWithoutALine() {
    const std::vector<Array> arrays = {{"shared memory", Space::Shared, 0, 0, 64, 0, 1}};
    std::vector<ShadowWord> words;
    Judges judges(EventScript::subjectOf(Order::Intervals, arrays), words);
    judges.see(event::SharedMemory{64});
    judges.see(event::SharedLoad{{{3, {0, 0x130}}, 0, 5, 1, 1, 5}, nullptr});
    QCOMPARE(q(describe(judges.faults().kept.front())),
             QString("read of unwritten shared memory: load of shared memory[5] by thread 3 of "
                     "block (0, 0), kernel at 0x0130 of file"));
    QCOMPARE(judges.faults().kept.front().address, std::uint32_t{0x130});
  }

  // The words are a buffer that the next block gets, too.
  void aBlockStartsWithoutAShadow() {
    const std::vector<Array> arrays = EventScript::arrays();
    std::vector<ShadowWord> words;
    for (int block = 0; block < 2; ++block) {
      Judges judges(EventScript::subjectOf(Order::Intervals, arrays), words);
      judges.see(event::SharedMemory{64});
      judges.see(event::SharedLoad{EventScript::word(0, 5, 4), nullptr});
      QCOMPARE(judges.faults().total, std::uint64_t{1});
      judges.see(event::SharedStore{EventScript::word(0, 5, 5), nullptr});
    }
  }
};

}  // namespace tileloom::emulator::judges

TILELOOM_TEST(tileloom::emulator::judges::PlantedFaultsTest, Nothing)
#include "planted_faults_test.moc"
