// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions of a recording that wait, or that may end a wait, warp by warp: what the graph
// of waits (waits.h) and the replay of waits (sleepers.h) both read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/analysis/first_lane.h"
#include "kernels/analysis/order/wait_graph.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// An instruction that waits, or that may end a wait.
struct WaitEvent {
  emulator::Instruction instruction;
  emulator::WarpInterval view;
  std::uint32_t index = 0;

  bool of(std::uint32_t lane) const { return (instruction.mask >> lane & 1u) != 0; }
  const std::uint32_t* payload(std::uint32_t lane) const { return view.payload(index, lane); }
  const std::uint32_t* payload() const { return payload(firstLane(instruction.mask)); }
};

// Of one warp, in the order of its program.
std::vector<WaitEvent> waitEventsOf(const emulator::Trace& trace, std::uint32_t warp);

// The class of an event; std::nullopt: it neither waits nor ends a wait that others see.
std::optional<WaitOn> waitOf(const WaitEvent& event);

// The name of a barrier of the block; empty: the number has none.
std::string barrierName(const emulator::Trace& trace, std::uint32_t number);

}  // namespace tileloom::analysis
