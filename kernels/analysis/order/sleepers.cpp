// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/sleepers.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "kernels/analysis/order/wait_events.h"
#include "kernels/tile/derived.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::kWarpSize;
using emulator::Trace;

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
      events_.push_back(waitEventsOf(trace, warp));
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
      const WaitEvent* at = eventOf(thread);
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

  const WaitEvent* eventOf(std::uint32_t thread) {
    Thread& t = threads_[thread];
    const auto& events = events_[thread / kWarpSize];
    while (t.next < events.size() && !events[t.next].of(thread % kWarpSize)) ++t.next;
    return t.next < events.size() ? &events[t.next] : nullptr;
  }

  // All threads that have not ended are at such a barrier: they continue.
  bool passed(Kind kind) {
    bool any = false;
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      const WaitEvent* at = eventOf(thread);
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
    const WaitEvent* const event = eventOf(thread);
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

  Sleeper sleeper(std::uint32_t thread, const WaitEvent& event) const {
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
    const auto on = waitOf(event);
    s.point = graph_.points.size();
    if (on) s.point = pointOf(graph_, *on, name, number).value_or(s.point);
    return s;
  }

  const Trace& trace_;
  const WaitGraph& graph_;
  std::optional<LeftOut> without_;
  std::vector<std::vector<WaitEvent>> events_;  // by warp
  std::vector<Thread> threads_;
  std::vector<Barrier> barriers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Meeting> meetings_;  // by number and warp
  std::vector<std::uint32_t> registers_;                                 // per thread, by warp
  std::int64_t pool_ = 0;
};

}  // namespace

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

}  // namespace tileloom::analysis
