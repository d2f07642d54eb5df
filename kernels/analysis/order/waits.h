// SPDX-License-Identifier: GPL-3.0-or-later
// The waits of a block: which warps wait at which barriers, and which warps and agents end these
// waits, including TMA, the tensor cores and the other blocks of a cluster. It is taken from a
// recording, and needs no times.
//
// sleepersOf() replays the waits of the recording, optionally without some arrival: threads that
// can no longer continue are deadlocked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/trace.h"

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

WaitGraph waitsOf(const emulator::Trace& trace);

// An arrival that is removed.
struct LeftOut {
  std::size_t point = 0;
  bool boxes = false;  // boxes that bring bytes there; else arrivals of threads, or registers
  bool operator==(const LeftOut&) const = default;
};
// All arrivals that can be removed and that threads wait for: arrivals and boxes of barriers, and
// registers that are returned.
std::vector<LeftOut> possibleOmissions(const WaitGraph& graph);

// Threads that are deadlocked at one place for one reason.
struct Sleeper {
  std::size_t node = 0, point = 0;
  std::uint32_t thread = 0, threads = 0;  // the first one, and their number
  std::uint16_t line = 0;
  // At a barrier with phases: its index within its name, the phase that has to end, missing and
  // expected arrivals, and bytes that are expected and that have arrived.
  std::uint32_t index = 0, phase = 0, missing = 0, expected = 0;
  std::uint64_t announced = 0, come = 0;
  // At a meeting: `missing` of `expected` threads. For registers: the wanted and present number per
  // thread, and the number in the block's pool.
  std::uint32_t wants = 0, has = 0;
  std::int64_t pool = 0;
};

// Empty: all threads end. Blocks of a cluster are assumed to do the same at the same time. For a
// recording that ends in a deadlock: its deadlocked threads.
std::vector<Sleeper> sleepersOf(const emulator::Trace& trace, const WaitGraph& graph,
                                std::optional<LeftOut> without = std::nullopt);

// The registers of a block, warp by warp, before and after register reallocation.
struct RegisterShare {
  std::size_t node = 0;
  std::uint32_t threads = 0;
  std::uint32_t before = 0, after = 0;  // per thread
};
// Empty without register reallocation.
std::vector<RegisterShare> registerShares(const emulator::Trace& trace, const WaitGraph& graph);

}  // namespace tileloom::analysis
