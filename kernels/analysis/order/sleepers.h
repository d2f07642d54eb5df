// SPDX-License-Identifier: GPL-3.0-or-later
// Threads in a deadlock. The waits of a recording are replayed, optionally without some arrival:
// threads that can no longer continue are deadlocked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/analysis/order/wait_graph.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

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

}  // namespace tileloom::analysis
