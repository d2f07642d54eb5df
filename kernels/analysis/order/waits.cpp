// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/waits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "kernels/analysis/first_lane.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/placement.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::kWarpSize;
using emulator::Trace;
using emulator::WarpInterval;

// An instruction that waits, or that may end a wait.
struct Event {
  Instruction instruction;
  WarpInterval view;
  std::uint32_t index = 0;

  bool of(std::uint32_t lane) const { return (instruction.mask >> lane & 1u) != 0; }
  const std::uint32_t* payload(std::uint32_t lane) const { return view.payload(index, lane); }
  const std::uint32_t* payload() const { return payload(firstLane(instruction.mask)); }
};

bool matters(Kind kind) {
  switch (kind) {
    case Kind::Barrier:
    case Kind::CopyCommit:
    case Kind::CopyWait:
    case Kind::BoxLoad:
    case Kind::Product:
    case Kind::BarrierStart:
    case Kind::BarrierExpect:
    case Kind::BarrierWait:
    case Kind::CommitProducts:
    case Kind::WaitProducts:
    case Kind::BarrierArrive:
    case Kind::Meet:
    case Kind::ClusterMeet:
    case Kind::KeepRegisters:
    case Kind::TakeRegisters:
    case Kind::BoxStore:
    case Kind::WaitBoxes:
      return true;
    default:
      return false;
  }
}

std::vector<Event> eventsOf(const Trace& trace, std::uint32_t warp) {
  std::vector<Event> events;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    const WarpInterval view = trace.at(warp, interval);
    for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
      const Instruction& instruction = view.instructions[i];
      if (matters(instruction.kind) && instruction.mask != 0)
        events.push_back({instruction, view, i});
    }
  }
  return events;
}

std::string roleOf(const Trace& trace, std::uint32_t warp) {
  return warp < trace.roles.size() ? trace.roles[warp] : std::string();
}

// The name of a barrier of the block; empty: the number has none.
std::string barrierName(const Trace& trace, std::uint32_t number) {
  return number < trace.barriers.size() ? trace.barriers[number].name : std::string();
}

template <class T>
void insertSorted(std::vector<T>& values, T value) {
  const auto at = std::ranges::lower_bound(values, value);
  if (at == values.end() || *at != value) values.insert(at, value);
}

WaitEdge& edgeOf(std::vector<WaitEdge>& edges, std::size_t node) {
  const auto found = std::ranges::find(edges, node, &WaitEdge::node);
  if (found != edges.end()) return *found;
  edges.emplace_back().node = node;
  return edges.back();
}

std::optional<std::size_t> pointOf(const WaitGraph& graph, WaitOn on, const std::string& name,
                                   std::uint32_t number) {
  for (std::size_t i = 0; i < graph.points.size(); ++i) {
    const WaitPoint& point = graph.points[i];
    if (point.on == on && point.name == name && point.number == number) return i;
  }
  return std::nullopt;
}

// The class of an event; std::nullopt: it neither waits nor ends a wait that others see.
std::optional<WaitOn> placeOf(const Event& event) {
  switch (event.instruction.kind) {
    case Kind::Barrier:
      return WaitOn::Block;
    case Kind::CopyCommit:
    case Kind::CopyWait:
      return WaitOn::Copies;
    case Kind::Product:
    case Kind::WaitProducts:
      return WaitOn::Products;
    case Kind::BoxLoad:
    case Kind::BarrierStart:
    case Kind::BarrierExpect:
    case Kind::BarrierWait:
    case Kind::BarrierArrive:
      return WaitOn::Phase;
    case Kind::BoxStore:
    case Kind::WaitBoxes:
      return WaitOn::Stored;
    case Kind::Meet:
      // Waits of lanes for each other within a warp are too short to see.
      return event.payload()[0] == 0 ? std::nullopt : std::optional(WaitOn::Meeting);
    case Kind::ClusterMeet:
      return WaitOn::Cluster;
    case Kind::KeepRegisters:
    case Kind::TakeRegisters:
      return WaitOn::Registers;
    default:
      return std::nullopt;
  }
}

class Reader {
 public:
  explicit Reader(const Trace& trace) : trace_(trace) {}

  WaitGraph read() {
    warps();
    for (std::uint32_t warp = 0; warp < trace_.warps; ++warp) {
      times_.clear();
      for (const Event& event : eventsOf(trace_, warp)) add(event, warp);
      for (const auto& [point, lanes] : times_) {
        WaitEdge& edge = edgeOf(graph_.points[point].waiters, nodeOfWarp_[warp]);
        edge.times = std::max(edge.times, std::ranges::max(lanes));
      }
    }
    boxes();
    remote();
    // Barriers without waiting threads are not shown.
    std::erase_if(graph_.points, [](const WaitPoint& point) { return point.waiters.empty(); });
    return std::move(graph_);
  }

 private:
  void warps() {
    const bool grouped = trace_.features().warpgroupMma;
    nodeOfWarp_.resize(trace_.warps);
    for (std::uint32_t warp = 0; warp < trace_.warps; ++warp) {
      const std::uint32_t before = warp == 0 ? 0 : warp - 1;
      const bool same =
          warp != 0 && roleOf(trace_, warp) == roleOf(trace_, before) &&
          (!grouped || warp / emulator::kWarpsPerGroup == before / emulator::kWarpsPerGroup);
      if (!same) {
        WaitNode node;
        node.rank = trace_.rank;
        node.role = roleOf(trace_, warp);
        node.first = warp;
        graph_.nodes.push_back(node);
      }
      ++graph_.nodes.back().count;
      nodeOfWarp_[warp] = graph_.nodes.size() - 1;
    }
    for (WaitNode& node : graph_.nodes) {
      node.groups = 0;
      for (const WaitNode& other : graph_.nodes) {
        if (other.role != node.role) continue;
        if (other.first < node.first) ++node.group;
        ++node.groups;
      }
      for (std::uint32_t warp = node.first; warp < node.first + node.count; ++warp)
        node.multiplies |= multiplies(warp);
    }
  }

  bool multiplies(std::uint32_t warp) const {
    for (std::uint32_t interval = 0; interval < trace_.intervals(); ++interval) {
      if (std::ranges::any_of(trace_.at(warp, interval).instructions,
                              [](const Instruction& i) { return emulator::isMultiplyAdd(i.kind); }))
        return true;
    }
    return false;
  }

  std::size_t agent(WaitNode::Kind kind, std::uint32_t rank, const std::string& role = {}) {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const WaitNode& node = graph_.nodes[i];
      const bool other = rank != trace_.rank;
      if (node.kind == kind && node.rank == rank && node.other == other && node.role == role)
        return i;
    }
    WaitNode node;
    node.kind = kind;
    node.rank = rank;
    node.other = rank != trace_.rank;
    node.role = role;
    graph_.nodes.push_back(node);
    return graph_.nodes.size() - 1;
  }

  std::size_t point(WaitOn on, const std::string& name, std::uint32_t number) {
    if (const auto found = pointOf(graph_, on, name, number)) return *found;
    WaitPoint point;
    point.on = on;
    point.name = name;
    point.number = number;
    if (on == WaitOn::Phase) {
      point.barriers = static_cast<std::uint32_t>(
          std::ranges::count(trace_.barriers, name, &emulator::BarrierRecord::name));
    }
    graph_.points.push_back(point);
    return graph_.points.size() - 1;
  }

  void waits(std::size_t at, const Event& event, std::uint32_t warp) {
    auto& lanes = times_[at];
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) lanes[lane] += event.of(lane) ? 1 : 0;
    WaitEdge& edge = edgeOf(graph_.points[at].waiters, nodeOfWarp_[warp]);
    insertSorted(edge.lines, event.instruction.line);
    insertSorted(edge.warps, warp);
  }

  WaitEdge& ends(std::size_t at, const Event& event, std::uint32_t warp) {
    WaitEdge& edge = edgeOf(graph_.points[at].enders, nodeOfWarp_[warp]);
    insertSorted(edge.lines, event.instruction.line);
    insertSorted(edge.warps, warp);
    return edge;
  }

  void add(const Event& event, std::uint32_t warp) {
    const auto on = placeOf(event);
    if (!on) return;
    const Instruction& i = event.instruction;
    switch (i.kind) {
      case Kind::BarrierStart: {
        const std::string name = barrierName(trace_, event.payload()[0]);
        if (!name.empty()) graph_.points[point(*on, name, 0)].arrivals = event.payload()[1];
        return;
      }
      case Kind::BarrierExpect:
      case Kind::BarrierArrive:
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
          if (!event.of(lane)) continue;
          const std::string name = barrierName(trace_, event.payload(lane)[0]);
          const bool here = i.kind == Kind::BarrierExpect || event.payload(lane)[1] == trace_.rank;
          if (!name.empty() && here) ++ends(point(*on, name, 0), event, warp).times;
        }
        return;
      case Kind::BarrierWait: {
        const std::string name = barrierName(trace_, event.payload()[0]);
        if (!name.empty()) waits(point(*on, name, 0), event, warp);
        return;
      }
      case Kind::BoxLoad:
        return;  // boxes() has those of other blocks, too
      case Kind::Product:
      case Kind::BoxStore:
      case Kind::CopyCommit: {
        const std::size_t at = point(*on, {}, 0);
        const bool product = i.kind == Kind::Product;
        const std::size_t node = agent(product                    ? WaitNode::Kind::TensorCore
                                       : i.kind == Kind::BoxStore ? WaitNode::Kind::CopyEngine
                                                                  : WaitNode::Kind::Copies,
                                       trace_.rank);
        WaitEdge& edge = edgeOf(graph_.points[at].enders, node);
        insertSorted(edge.lines, i.line);
        // The four warps' parts are one wgmma.
        if (!product || warp % emulator::kWarpsPerGroup == 0) ++edge.times;
        return;
      }
      case Kind::CopyWait:
      case Kind::WaitBoxes:
      case Kind::WaitProducts:
        waits(point(*on, {}, 0), event, warp);
        return;
      case Kind::Meet: {
        const std::size_t at = point(*on, {}, event.payload()[0]);
        graph_.points[at].arrivals = event.payload()[1];
        waits(at, event, warp);
        ends(at, event, warp).times += static_cast<std::uint32_t>(std::popcount(i.mask));
        return;
      }
      case Kind::Barrier:
      case Kind::ClusterMeet: {
        const std::size_t at = point(*on, {}, 0);
        waits(at, event, warp);
        ends(at, event, warp).times += static_cast<std::uint32_t>(std::popcount(i.mask));
        return;
      }
      case Kind::KeepRegisters:
      case Kind::TakeRegisters: {
        const std::size_t at = point(*on, {}, 0);
        const bool takes = i.kind == Kind::TakeRegisters;
        if (takes) {
          waits(at, event, warp);
          edgeOf(graph_.points[at].waiters, nodeOfWarp_[warp]).perThread = event.payload()[0];
        } else {
          WaitEdge& edge = ends(at, event, warp);
          edge.times = static_cast<std::uint32_t>(edge.warps.size());
          edge.perThread = event.payload()[0];
        }
        return;
      }
      default:
        return;
    }
  }

  void boxes() {
    for (const emulator::BoxRecord& box : trace_.boxes) {
      const std::string name = barrierName(trace_, box.barrier);
      if (name.empty()) continue;
      const std::size_t at = point(WaitOn::Phase, name, 0);
      WaitEdge& edge =
          edgeOf(graph_.points[at].enders, agent(WaitNode::Kind::CopyEngine, box.rank));
      ++edge.times;
      edge.bytes += box.bytes;
      insertSorted(edge.lines, box.line);
    }
  }

  void remote() {
    for (const emulator::RemoteArrival& arrival : trace_.remoteArrivals) {
      const std::string name = barrierName(trace_, arrival.barrier);
      if (name.empty()) continue;
      const std::size_t at = point(WaitOn::Phase, name, 0);
      // All blocks of a cluster run the same kernel.
      const std::size_t node =
          agent(WaitNode::Kind::Warps, arrival.rank, roleOf(trace_, arrival.warp));
      WaitEdge& edge = edgeOf(graph_.points[at].enders, node);
      ++edge.times;
      insertSorted(edge.lines, arrival.line);
      insertSorted(edge.warps, arrival.warp);
    }
  }

  const Trace& trace_;
  WaitGraph graph_;
  std::vector<std::size_t> nodeOfWarp_;
  std::map<std::size_t, std::array<std::uint32_t, kWarpSize>> times_;  // of one warp, by point
};

// Replays the waits of a block, thread by thread. The end of a wait does not depend on time, so the
// order in which threads continue does not matter.
class Replay {
 public:
  Replay(const Trace& trace, const WaitGraph& graph, std::optional<LeftOut> without)
      : trace_(trace),
        graph_(graph),
        without_(without),
        threads_(std::size_t{trace.warps} * kWarpSize),
        barriers_(trace.barriers.size()),
        registers_(trace.warps,
                   static_cast<std::uint32_t>(launchedRegisters(*trace.rung(), trace.tile))) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp)
      events_.push_back(eventsOf(trace, warp));
  }

  std::vector<Sleeper> run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
        while (step(thread)) moved = true;
      }
      moved = moved || passed(Kind::Barrier) || passed(Kind::ClusterMeet);
    }
    std::vector<Sleeper> sleepers;
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      const Event* at = eventOf(thread);
      if (at == nullptr) continue;
      const Sleeper one = sleeper(thread, *at);
      const auto same = std::ranges::find_if(sleepers, [&](const Sleeper& s) {
        return s.node == one.node && s.point == one.point && s.line == one.line &&
               s.index == one.index && s.phase == one.phase;
      });
      if (same == sleepers.end()) {
        sleepers.push_back(one);
      } else {
        ++same->threads;
      }
    }
    return sleepers;
  }

 private:
  struct Thread {
    std::size_t next = 0;               // of its warp's events
    bool here = false;                  // it has reached its wait
    std::uint32_t meeting = 0;          // that it has reached
    std::uint32_t products = 0;         // issued
    std::vector<std::uint32_t> groups;  // wgmma issued when each group was committed
  };
  struct Barrier {
    std::uint32_t expected = 0, pending = 0, phase = 0;
    std::int64_t bytes = 0;  // expected, and not arrived
    std::uint64_t announced = 0, come = 0;
  };
  struct Meeting {
    std::uint32_t come = 0, over = 0;
  };

  const Event* eventOf(std::uint32_t thread) {
    Thread& t = threads_[thread];
    const auto& events = events_[thread / kWarpSize];
    while (t.next < events.size() && !events[t.next].of(thread % kWarpSize)) ++t.next;
    return t.next < events.size() ? &events[t.next] : nullptr;
  }

  // All threads that have not ended are at such a barrier: they continue.
  bool passed(Kind kind) {
    bool any = false;
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      const Event* at = eventOf(thread);
      if (at == nullptr) continue;
      if (at->instruction.kind != kind) return false;
      any = true;
    }
    for (std::uint32_t thread = 0; any && thread < threads_.size(); ++thread) {
      if (eventOf(thread) != nullptr) goOn(threads_[thread]);
    }
    return any;
  }

  static void goOn(Thread& t) {
    ++t.next;
    t.here = false;
  }

  void endPhase(Barrier& barrier) {
    if (barrier.expected == 0 || barrier.pending != 0 || barrier.bytes != 0) return;
    ++barrier.phase;
    barrier.pending = barrier.expected;
    barrier.announced = barrier.come = 0;
  }

  bool leftOut(WaitOn on, const std::string& name, bool boxes) const {
    if (!without_ || without_->point >= graph_.points.size()) return false;
    const WaitPoint& point = graph_.points[without_->point];
    return point.on == on && point.name == name && without_->boxes == boxes;
  }

  // Whether the thread continued.
  bool step(std::uint32_t thread) {
    const Event* const event = eventOf(thread);
    if (event == nullptr) return false;
    Thread& t = threads_[thread];
    const std::uint32_t warp = thread / kWarpSize, lane = thread % kWarpSize;
    const std::uint32_t* const payload = event->payload(lane);
    const Instruction& i = event->instruction;
    switch (i.kind) {
      case Kind::Barrier:
      case Kind::ClusterMeet:
        return false;
      case Kind::BarrierStart:
        if (payload[0] < barriers_.size()) {
          Barrier& barrier = barriers_[payload[0]];
          barrier.expected = barrier.pending = std::max(1u, payload[1]);
        }
        break;
      case Kind::BarrierExpect:
      case Kind::BarrierArrive:
        if (payload[0] < barriers_.size() &&
            !leftOut(WaitOn::Phase, barrierName(trace_, payload[0]), false)) {
          Barrier& barrier = barriers_[payload[0]];
          if (i.kind == Kind::BarrierExpect) {
            barrier.bytes += payload[1];
            barrier.announced += payload[1];
          }
          if (barrier.pending > 0) --barrier.pending;
          endPhase(barrier);
        }
        break;
      case Kind::BoxLoad:
        if (payload[1] < trace_.boxes.size()) {
          const emulator::BoxRecord& box = trace_.boxes[payload[1]];
          if (box.barrier >= barriers_.size() ||
              leftOut(WaitOn::Phase, barrierName(trace_, box.barrier), true))
            break;
          // The other blocks bring to this one what it brings to them.
          const std::uint64_t bytes =
              std::uint64_t{box.bytes} * static_cast<std::uint32_t>(std::popcount(box.ranks));
          Barrier& barrier = barriers_[box.barrier];
          barrier.bytes -= static_cast<std::int64_t>(bytes);
          barrier.come += bytes;
          endPhase(barrier);
        }
        break;
      case Kind::BarrierWait:
        // The phase before phase 0 has the number -1.
        if (payload[0] < barriers_.size() &&
            static_cast<std::int32_t>(barriers_[payload[0]].phase) <=
                static_cast<std::int32_t>(payload[1]))
          return false;
        break;
      case Kind::Product:
        ++t.products;
        break;
      case Kind::CommitProducts:
        t.groups.push_back(t.products);
        break;
      case Kind::WaitProducts: {
        const std::size_t newest = i.width;
        if (t.groups.size() <= newest) break;
        const std::uint32_t wanted = t.groups[t.groups.size() - 1 - newest];
        // A warp's wgmma begins when all its lanes have issued it.
        for (std::uint32_t other = 0; other < kWarpSize; ++other) {
          if (threads_[warp * kWarpSize + other].products < wanted) return false;
        }
        break;
      }
      case Kind::Meet: {
        Meeting& meeting = meetings_[{payload[0], payload[0] == 0 ? warp : 0}];
        if (!t.here) {
          t.here = true;
          t.meeting = meeting.over;
          if (++meeting.come == payload[1]) {
            meeting.come = 0;
            ++meeting.over;
          }
        }
        if (meeting.over <= t.meeting) return false;
        break;
      }
      case Kind::KeepRegisters:
        if (payload[0] < registers_[warp] && !leftOut(WaitOn::Registers, {}, false)) {
          pool_ += std::int64_t{registers_[warp] - payload[0]} * kWarpSize;
          registers_[warp] = payload[0];
        }
        break;
      case Kind::TakeRegisters:
        if (payload[0] > registers_[warp]) {
          const std::int64_t more = std::int64_t{payload[0] - registers_[warp]} * kWarpSize;
          if (more > pool_) return false;
          pool_ -= more;
          registers_[warp] = payload[0];
        }
        break;
      default:
        break;
    }
    goOn(t);
    return true;
  }

  std::size_t nodeOf(std::uint32_t warp) const {
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const WaitNode& node = graph_.nodes[n];
      if (node.kind == WaitNode::Kind::Warps && !node.other && warp >= node.first &&
          warp < node.first + node.count)
        return n;
    }
    return 0;
  }

  Sleeper sleeper(std::uint32_t thread, const Event& event) const {
    const std::uint32_t* const payload = event.payload(thread % kWarpSize);
    const std::uint32_t warp = thread / kWarpSize;
    Sleeper s;
    s.node = nodeOf(warp);
    s.thread = thread;
    s.threads = 1;
    s.line = event.instruction.line;
    std::string name;
    std::uint32_t number = 0;
    switch (event.instruction.kind) {
      case Kind::BarrierWait: {
        const Barrier& barrier = barriers_[payload[0]];
        name = barrierName(trace_, payload[0]);
        s.index = trace_.barriers[payload[0]].index;
        s.phase = payload[1];
        s.missing = barrier.pending;
        s.expected = barrier.expected;
        s.announced = barrier.announced;
        s.come = barrier.come;
        break;
      }
      case Kind::Meet: {
        number = payload[0];
        const auto meeting = meetings_.find({number, number == 0 ? warp : 0});
        s.expected = payload[1];
        s.missing = payload[1] - (meeting == meetings_.end() ? 0 : meeting->second.come);
        break;
      }
      case Kind::TakeRegisters:
        s.wants = payload[0];
        s.has = registers_[warp];
        s.pool = pool_;
        break;
      default:
        break;
    }
    const auto on = placeOf(event);
    s.point = graph_.points.size();
    if (on) s.point = pointOf(graph_, *on, name, number).value_or(s.point);
    return s;
  }

  const Trace& trace_;
  const WaitGraph& graph_;
  std::optional<LeftOut> without_;
  std::vector<std::vector<Event>> events_;  // by warp
  std::vector<Thread> threads_;
  std::vector<Barrier> barriers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Meeting> meetings_;  // by number and warp
  std::vector<std::uint32_t> registers_;                                 // per thread, by warp
  std::int64_t pool_ = 0;
};

}  // namespace

WaitGraph waitsOf(const Trace& trace) {
  return Reader(trace).read();
}

std::vector<LeftOut> possibleOmissions(const WaitGraph& graph) {
  std::vector<LeftOut> all;
  for (std::size_t p = 0; p < graph.points.size(); ++p) {
    const WaitPoint& point = graph.points[p];
    if (point.on != WaitOn::Phase && point.on != WaitOn::Registers) continue;
    const auto any = [&](WaitNode::Kind kind) {
      return std::ranges::any_of(
          point.enders, [&](const WaitEdge& edge) { return graph.nodes[edge.node].kind == kind; });
    };
    if (any(WaitNode::Kind::Warps)) all.push_back({p, false});
    if (any(WaitNode::Kind::CopyEngine)) all.push_back({p, true});
  }
  return all;
}

std::vector<Sleeper> sleepersOf(const Trace& trace, const WaitGraph& graph,
                                std::optional<LeftOut> without) {
  return Replay(trace, graph, without).run();
}

std::vector<RegisterShare> registerShares(const Trace& trace, const WaitGraph& graph) {
  const auto pool = pointOf(graph, WaitOn::Registers, {}, 0);
  if (!pool) return {};
  std::vector<RegisterShare> shares;
  const auto before = static_cast<std::uint32_t>(launchedRegisters(*trace.rung(), trace.tile));
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const WaitNode& node = graph.nodes[n];
    if (node.kind != WaitNode::Kind::Warps || node.other) continue;
    RegisterShare share{n, node.count * kWarpSize, before, before};
    for (const auto* edges : {&graph.points[*pool].waiters, &graph.points[*pool].enders}) {
      const auto edge = std::ranges::find(*edges, n, &WaitEdge::node);
      if (edge != edges->end()) share.after = edge->perThread;
    }
    shares.push_back(share);
  }
  return shares;
}

}  // namespace tileloom::analysis
