// SPDX-License-Identifier: GPL-3.0-or-later
// The waits of a block: for rungs by hand, and for deadlocks compared with the emulator's
// sentences.
#include "kernels/analysis/order/waits.h"

#include <fmt/format.h>

#include <QtTest>
#include <algorithm>

#include "kernels/analysis/order/register_shares.h"
#include "kernels/analysis/order/sleepers.h"
#include "kernels/device/roles.cuh"
#include "tests/support/planted.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {
namespace {

BOXES(waiting, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

// Which arrivals the planted consumers leave out.
enum class Missing { None, AllOfTheSecond, OneOfTheSecond };
Missing missing = Missing::None;
bool arrives(uint k, uint warp) {
  return missing == Missing::None || k != 1 || (missing == Missing::OneOfTheSecond && warp != 1);
}

// A producer, and three warps that only wait and say that a stage is empty.
ROLES_KERNEL(producer_and_consumers, CONSUMERS * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C) {
  SHARED_BOXES(As, 2 * BM * BK, Bs, 2 * BK * BN);
  BARRIER_PAIRS(full, empty, 2);
  static_cast<void>(Bs);
  const uint lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    start(full, 1), start(full + 1, 1), start(empty, 3), start(empty + 1, 3);
    publish_barriers();
  }
  __syncthreads();
  ROLE(producer, threadIdx.x >= 96) {
    for (uint k = 0; k < 4 && lane == 0; ++k) {
      wait(empty + k % 2, (k / 2 & 1) ^ 1);
      expect(full + k % 2, BM * BK * 2);
      load_box(As + k % 2 * BM * BK, A, k * 32, 0, full + k % 2);
    }
  }
  OTHERS(consumers) {
    for (uint k = 0; k < 4; ++k) {
      wait(full + k % 2, k / 2 & 1);
      if (lane == 0 && arrives(k, threadIdx.x / 32)) arrive(empty + k % 2);
    }
  }
}

// Two of four warps come where three are to meet.
ROLES_KERNEL(too_few_meet, CONSUMERS * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C) {
  SHARED_BOXES(As, 2 * BM * BK, Bs, 2 * BK * BN);
  static_cast<void>(As), static_cast<void>(Bs);
  ROLE(first, threadIdx.x < 64) {
    PLANTED(meet(1, 96));
  }
  OTHERS(others) {
    meet(2, 64);
  }
}

}  // namespace

using test::q;

class WaitsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  emulator::Trace planted() {
    static const Stage stage = test::plantedHopper<Kernel>(waiting_boxes);
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    request.problem = {64, 64, 128};
    return emulator::traceBlock(workspace_, request);
  }

  static std::size_t node(const WaitGraph& graph, WaitNode::Kind kind, std::string_view role = {},
                          std::uint32_t group = 0, bool other = false) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const WaitNode& n = graph.nodes[i];
      if (n.kind == kind && n.role == role && n.group == group && n.other == other) return i;
    }
    return graph.nodes.size();
  }
  static std::size_t point(const WaitGraph& graph, WaitOn on, std::string_view name = {}) {
    for (std::size_t i = 0; i < graph.points.size(); ++i) {
      if (graph.points[i].on == on && graph.points[i].name == name) return i;
    }
    return graph.points.size();
  }
  static const WaitEdge* edge(const std::vector<WaitEdge>& edges, std::size_t node) {
    const auto found = std::ranges::find(edges, node, &WaitEdge::node);
    return found == edges.end() ? nullptr : &*found;
  }

 private slots:
  void producerAndConsumers() {
    constexpr std::uint32_t kTiles = 8;
    const auto r = test::recorded({.stage = "consumers", .kTiles = kTiles});
    const WaitGraph graph = waitsOf(r->trace);
    using enum WaitNode::Kind;
    const std::size_t producer = node(graph, Warps, "producer");
    const std::size_t upper = node(graph, Warps, "consumers", 0);
    const std::size_t lower = node(graph, Warps, "consumers", 1);
    const std::size_t engine = node(graph, CopyEngine), cores = node(graph, TensorCore);
    QCOMPARE(graph.nodes.size(), std::size_t{5});
    for (const std::size_t n : {producer, upper, lower, engine, cores})
      QVERIFY(n < graph.nodes.size());
    QCOMPARE(graph.nodes[lower].first, 4u);
    QCOMPARE(graph.nodes[producer].count, 4u);
    QVERIFY(graph.nodes[upper].multiplies && !graph.nodes[producer].multiplies);

    // Full: both consumers wait for the producer's announcement and the boxes.
    const WaitPoint& full = graph.points[point(graph, WaitOn::Phase, "full")];
    QCOMPARE(full.arrivals, 1u);
    QCOMPARE(full.barriers, static_cast<std::uint32_t>(r->trace.tile[Parameter::STAGES]));
    QCOMPARE(full.waiters.size(), std::size_t{2});
    for (const std::size_t n : {upper, lower}) QCOMPARE(edge(full.waiters, n)->times, kTiles);
    QCOMPARE(full.enders.size(), std::size_t{2});
    QCOMPARE(edge(full.enders, producer)->times, kTiles);
    QCOMPARE(edge(full.enders, engine)->times, static_cast<std::uint32_t>(r->trace.boxes.size()));
    // Empty: the producer's one thread waits for one thread of each warpgroup.
    const WaitPoint& empty = graph.points[point(graph, WaitOn::Phase, "empty")];
    QCOMPARE(empty.arrivals, 2u);
    QCOMPARE(empty.waiters.size(), std::size_t{1});
    QCOMPARE(edge(empty.waiters, producer)->times, kTiles);
    QCOMPARE(edge(empty.waiters, producer)->warps, std::vector<std::uint32_t>{8});
    for (const std::size_t n : {upper, lower}) QCOMPARE(edge(empty.enders, n)->times, kTiles);
    // Products, the meeting of both around C, the registers, and the one barrier of all.
    const WaitPoint& products = graph.points[point(graph, WaitOn::Products)];
    QCOMPARE(edge(products.waiters, upper)->times, kTiles);
    QCOMPARE(products.enders.front().node, cores);
    const WaitPoint& meeting = graph.points[point(graph, WaitOn::Meeting)];
    QCOMPARE(meeting.arrivals, 256u);
    QVERIFY(edge(meeting.waiters, upper) && edge(meeting.enders, lower));
    QVERIFY(!edge(meeting.waiters, producer));
    const WaitPoint& registers = graph.points[point(graph, WaitOn::Registers)];
    QVERIFY(edge(registers.waiters, upper) && edge(registers.enders, producer));
    QCOMPARE(graph.points[point(graph, WaitOn::Block)].waiters.size(), std::size_t{3});
  }

  // What the other block of a cluster brings, and when it has read it.
  void theOtherBlock() {
    const auto r = test::recorded({.stage = "cluster", .kTiles = 4});
    const WaitGraph graph = waitsOf(r->trace);
    const std::size_t engine = node(graph, WaitNode::Kind::CopyEngine, {}, 0, true);
    const std::size_t others = node(graph, WaitNode::Kind::Warps, "consumers", 0, true);
    QVERIFY(engine < graph.nodes.size() && others < graph.nodes.size());
    QCOMPARE(graph.nodes[engine].rank, 1u);
    const auto& full = graph.points[point(graph, WaitOn::Phase, "full")];
    const auto& empty = graph.points[point(graph, WaitOn::Phase, "empty")];
    QVERIFY(edge(full.enders, engine) != nullptr);
    // Half of B: as many bytes as the own engine's boxes of B, which are half of it, too.
    std::uint64_t own = 0;
    for (const emulator::BoxRecord& box : r->trace.boxes)
      own += box.rank == 0 && box.matrix == emulator::kArrayB ? box.bytes : 0;
    QCOMPARE(edge(full.enders, engine)->bytes, own);
    QCOMPARE(edge(empty.enders, others)->times,
             static_cast<std::uint32_t>(r->trace.remoteArrivals.size()));
    QVERIFY(point(graph, WaitOn::Cluster) < graph.points.size());
  }

  // Kernels without a bug do not hang, and every arrival that a thread waits for is needed.
  void leftOut_data() {
    QTest::addColumn<QString>("id");
    for (const Stage* stage : everyStage()) QTest::newRow(stage->id.data()) << q(stage->id);
  }
  void leftOut() {
    QFETCH(QString, id);
    const auto r = test::recorded({.stage = test::stage(id.toStdString()).id, .kTiles = 8});
    const WaitGraph graph = waitsOf(r->trace);
    QVERIFY(sleepersOf(r->trace, graph).empty());
    for (const WaitPoint& p : graph.points) QVERIFY(!p.enders.empty());
    for (const LeftOut& what : possibleOmissions(graph)) {
      const auto sleepers = sleepersOf(r->trace, graph, what);
      QVERIFY(!sleepers.empty());
      // Some thread is deadlocked when an arrival is removed.
      QVERIFY(
          std::ranges::any_of(sleepers, [&](const Sleeper& s) { return s.point == what.point; }));
    }
    QCOMPARE(possibleOmissions(graph).empty(), !r->trace.rung()->features().tma);
  }

  void nobodySaysThatAStageIsEmpty() {
    const auto r = test::recorded({.stage = "specialised", .kTiles = 8});
    const WaitGraph graph = waitsOf(r->trace);
    const std::size_t empty = point(graph, WaitOn::Phase, "empty");
    const auto sleepers = sleepersOf(r->trace, graph, LeftOut{empty, false});
    const auto producer =
        std::ranges::find(sleepers, node(graph, WaitNode::Kind::Warps, "producer"), &Sleeper::node);
    QVERIFY(producer != sleepers.end());
    // It fills all stages, and waits for the first one to become empty.
    QCOMPARE(producer->point, empty);
    QCOMPARE(producer->index, 0u);
    QCOMPARE(producer->phase, 0u);
    QCOMPARE(producer->threads, 1u);
    QCOMPARE(producer->missing, producer->expected);
    const auto consumers = std::ranges::find(
        sleepers, node(graph, WaitNode::Kind::Warps, "consumers"), &Sleeper::node);
    QVERIFY(consumers != sleepers.end());
    QCOMPARE(consumers->point, point(graph, WaitOn::Phase, "full"));
    QCOMPARE(consumers->phase, 1u);
    QCOMPARE(consumers->missing, 1u);
  }

  // The same facts as the emulator's sentence has.
  void plantedDeadlocks() {
    {
      missing = Missing::None;
      const emulator::Trace trace = planted<producer_and_consumers>();
      QVERIFY(trace.faults.empty());
      QVERIFY(sleepersOf(trace, waitsOf(trace)).empty());
    }
    const auto check = [&](Missing what, std::uint32_t lacks) {
      missing = what;
      const emulator::Trace trace = planted<producer_and_consumers>();
      QVERIFY(!trace.faults.empty());
      const WaitGraph graph = waitsOf(trace);
      const auto sleepers = sleepersOf(trace, graph);
      const std::string text = describe(trace.faults.kept.front());
      QCOMPARE(sleepers.size(), std::size_t{2});
      for (const Sleeper& s : sleepers) {
        const std::string phase = fmt::format(
            "in line {} for the end of phase {} of {}[{}]: it lacks {} of {} arrival", s.line,
            s.phase, graph.points[s.point].name, s.index, s.missing, s.expected);
        QVERIFY2(text.find(phase) != std::string::npos, (phase + "\n" + text).c_str());
      }
      const auto producer = std::ranges::find(
          sleepers, node(graph, WaitNode::Kind::Warps, "producer"), &Sleeper::node);
      QVERIFY(producer != sleepers.end());
      QCOMPARE(producer->missing, lacks);
      QCOMPARE(producer->index, 1u);
    };
    check(Missing::AllOfTheSecond, 3);
    check(Missing::OneOfTheSecond, 1);
  }

  void plantedMeeting() {
    const emulator::Trace trace = planted<too_few_meet>();
    QCOMPARE(trace.faults.kept.front().kind, emulator::FaultKind::Deadlock);
    const WaitGraph graph = waitsOf(trace);
    const auto sleepers = sleepersOf(trace, graph);
    QCOMPARE(sleepers.size(), std::size_t{1});
    QCOMPARE(sleepers[0].threads, 64u);
    QCOMPARE(sleepers[0].missing, 32u);
    QCOMPARE(sleepers[0].expected, 96u);
    QCOMPARE(int(sleepers[0].line), trace.faults.kept.front().line);
  }

  void registers() {
    const auto r = test::recorded({.stage = "consumers", .kTiles = 2});
    const WaitGraph graph = waitsOf(r->trace);
    const auto shares = registerShares(r->trace, graph);
    QCOMPARE(shares.size(), std::size_t{3});
    std::uint32_t before = 0, after = 0;
    for (const RegisterShare& share : shares) {
      QCOMPARE(share.before, 168u);
      QCOMPARE(share.threads, 128u);
      QCOMPARE(share.after, graph.nodes[share.node].role == "producer" ? 24u : 240u);
      before += share.threads * share.before;
      after += share.threads * share.after;
    }
    QVERIFY(after <= before && before <= 65536);
    // If the producer keeps all of its registers, a warp of the consumers waits for them.
    const LeftOut what{point(graph, WaitOn::Registers), false};
    const auto sleepers = sleepersOf(r->trace, graph, what);
    const auto starved = std::ranges::find(sleepers, what.point, &Sleeper::point);
    QVERIFY(starved != sleepers.end());
    QCOMPARE(starved->wants, 240u);
    QCOMPARE(starved->has, 168u);
    QCOMPARE(starved->pool, std::int64_t{0});
    // Where no registers move there is nothing to show.
    const auto t7 = test::recorded({.stage = "overlapped"});
    QVERIFY(registerShares(t7->trace, waitsOf(t7->trace)).empty());
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::WaitsTest, Nothing)

#include "waits_test.moc"
