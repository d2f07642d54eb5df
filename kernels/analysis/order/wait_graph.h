// SPDX-License-Identifier: GPL-3.0-or-later
// The waits of a block as a graph: which warps wait at which barriers, and which warps and agents
// end these waits, including TMA, the tensor cores and the other blocks of a cluster. A plain
// value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tileloom::analysis {

// A group of warps or an agent that waits, or ends waits.
struct WaitNode {
  enum class Kind : std::uint8_t { Warps, Copies, CopyEngine, TensorCore };
  Kind kind = Kind::Warps;
  std::uint32_t rank = 0;               // of its block in the cluster
  bool other = false;                   // of another block than the recorded one
  std::string role;                     // of warps, as the kernel names them; empty: no name
  std::uint32_t first = 0, count = 0;   // warps
  std::uint32_t group = 0, groups = 1;  // its index among the nodes with this role
  bool multiplies = false;              // its warps issue wgmma or multiply
};

enum class WaitOn : std::uint8_t {
  Phase,      // of barriers that count arrivals and bytes
  Products,   // of the warpgroup
  Copies,     // cp.async
  Stored,     // TMA stores: until TMA has read their boxes
  Block,      // __syncthreads()
  Meeting,    // of some warps
  Cluster,    // all threads of the cluster's blocks
  Registers,  // that others return
};

struct WaitEdge {
  std::size_t node = 0;
  // For a waiting node: of the warp that waits most often. For a node that ends waits: arrivals of
  // threads, boxes, wgmma or groups of copies, all together.
  std::uint32_t times = 0;
  std::uint64_t bytes = 0;           // of boxes
  std::uint32_t perThread = 0;       // registers: of the node's threads afterwards
  std::vector<std::uint16_t> lines;  // of the source, ascending
  std::vector<std::uint32_t> warps;  // ascending; empty for agents
};

// The object of a wait: barriers of one name, or something without a barrier.
struct WaitPoint {
  WaitOn on = WaitOn::Phase;
  std::string name;            // "full"; empty where there is no barrier with a name
  std::uint32_t number = 0;    // of a meeting
  std::uint32_t barriers = 0;  // of this name
  std::uint32_t arrivals = 0;  // that end a phase, or threads that meet
  std::vector<WaitEdge> waiters, enders;
};

struct WaitGraph {
  std::vector<WaitNode> nodes;
  std::vector<WaitPoint> points;
};

// The point of this kind with this name and number; std::nullopt: nothing waits there.
std::optional<std::size_t> pointOf(const WaitGraph& graph, WaitOn on, const std::string& name,
                                   std::uint32_t number);

}  // namespace tileloom::analysis
