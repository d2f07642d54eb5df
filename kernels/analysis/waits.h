// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom in a block: which warps wait at which barriers, and who ends these waits, the
// copy engine, the tensor cores and the other blocks of a cluster included. It is read from a
// recording, and needs no time.
//
// sleepersOf() runs the waits of the recording once more, with something left out if asked: who
// cannot go on then sleeps for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// Who waits, or ends waits.
struct WaitNode {
  enum class Kind : std::uint8_t { Warps, Copies, CopyEngine, TensorCore };
  Kind kind = Kind::Warps;
  std::uint32_t rank = 0;               // of its block in the cluster
  bool other = false;                   // of another block than the recorded one
  std::string role;                     // of warps, as the kernel calls them; empty: it does not
  std::uint32_t first = 0, count = 0;   // warps
  std::uint32_t group = 0, groups = 1;  // which of the nodes with this role it is
  bool multiplies = false;              // its warps ask for products or multiply
};

enum class WaitOn : std::uint8_t {
  Phase,      // of barriers that count arrivals and bytes
  Products,   // of the warpgroup
  Copies,     // cp.async
  Stored,     // boxes that the copy engine stores: until it has read them
  Block,      // __syncthreads()
  Meeting,    // of some warps
  Cluster,    // all threads of the cluster's blocks
  Registers,  // that others give back
};

struct WaitEdge {
  std::size_t node = 0;
  // Of who waits: by the warp that does it most often. Of who ends waits: arrivals of threads,
  // boxes, products or groups of copies, all together.
  std::uint32_t times = 0;
  std::uint64_t bytes = 0;           // that boxes bring
  std::uint32_t perThread = 0;       // registers: that the node's threads have afterwards
  std::vector<std::uint16_t> lines;  // of the source, ascending
  std::vector<std::uint32_t> warps;  // that do it, ascending; of agents empty
};

// What is waited for: barriers of one name, or something that has no barrier.
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

// Nobody does this any more.
struct LeftOut {
  std::size_t point = 0;
  bool boxes = false;  // those that bring bytes there; else arrivals of threads, or registers
  bool operator==(const LeftOut&) const = default;
};
// All that can be left out and is waited for: arrivals and boxes of barriers, and registers that
// are given back.
std::vector<LeftOut> possibleOmissions(const WaitGraph& graph);

// Threads that sleep for ever, at one place for one reason.
struct Sleeper {
  std::size_t node = 0, point = 0;
  std::uint32_t thread = 0, threads = 0;  // the first one, and how many
  std::uint16_t line = 0;
  // At a barrier with phases: which one of its name, the phase that has to end, arrivals that are
  // missing of those expected, and bytes that are announced and that have come.
  std::uint32_t index = 0, phase = 0, missing = 0, expected = 0;
  std::uint64_t announced = 0, come = 0;
  // At a meeting: `missing` of `expected` threads. For registers: how many per thread it wants and
  // has, and how many the block's pool has.
  std::uint32_t wants = 0, has = 0;
  std::int64_t pool = 0;
};

// Empty: all come to their end. Blocks of a cluster are taken to do the same at the same time. Of a
// recording that ends in a deadlock: who sleeps in it.
std::vector<Sleeper> sleepersOf(const emulator::Trace& trace, const WaitGraph& graph,
                                std::optional<LeftOut> without = std::nullopt);

// The registers of a block, warp by warp, before and after its roles have given some back and taken
// them.
struct RegisterShare {
  std::size_t node = 0;
  std::uint32_t threads = 0;
  std::uint32_t before = 0, after = 0;  // per thread
};
// Empty where nobody gives or takes any.
std::vector<RegisterShare> registerShares(const emulator::Trace& trace, const WaitGraph& graph);

}  // namespace tileloom::analysis
