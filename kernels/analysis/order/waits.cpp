// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/waits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "kernels/analysis/order/wait_events.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::kWarpSize;
using emulator::Trace;

std::string roleOf(const Trace& trace, std::uint32_t warp) {
  return warp < trace.roles.size() ? trace.roles[warp] : std::string();
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

// Draws the graph of a recording.
class Reader {
 public:
  explicit Reader(const Trace& trace) : trace_(trace) {}

  WaitGraph read() {
    warps();
    for (std::uint32_t warp = 0; warp < trace_.warps; ++warp) {
      times_.clear();
      for (const WaitEvent& event : waitEventsOf(trace_, warp)) add(event, warp);
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

  void waits(std::size_t at, const WaitEvent& event, std::uint32_t warp) {
    auto& lanes = times_[at];
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) lanes[lane] += event.of(lane) ? 1 : 0;
    WaitEdge& edge = edgeOf(graph_.points[at].waiters, nodeOfWarp_[warp]);
    insertSorted(edge.lines, event.instruction.line);
    insertSorted(edge.warps, warp);
  }

  WaitEdge& ends(std::size_t at, const WaitEvent& event, std::uint32_t warp) {
    WaitEdge& edge = edgeOf(graph_.points[at].enders, nodeOfWarp_[warp]);
    insertSorted(edge.lines, event.instruction.line);
    insertSorted(edge.warps, warp);
    return edge;
  }

  void add(const WaitEvent& event, std::uint32_t warp) {
    const auto on = waitOf(event);
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

}  // namespace

WaitGraph waitsOf(const Trace& trace) {
  return Reader(trace).read();
}

}  // namespace tileloom::analysis
