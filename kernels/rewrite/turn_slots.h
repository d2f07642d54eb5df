// SPDX-License-Identifier: GPL-3.0-or-later
// The program of a listing's loop for the model of an SM: what each instruction asks of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/machine/latencies.h"
#include "kernels/machine/memory_paths.h"
#include "kernels/rewrite/op.h"
#include "kernels/rewrite/turn_inputs.h"
#include "kernels/sass/register_banks.h"

namespace tileloom::rewrite {

// One instruction.
struct Slot {
  sass::Effect effect = sass::Effect::None;
  int stall = 1;
  int banks = 0;  // cycles that it loses to the register banks
  unsigned wait = 0;
  int writes = -1, reads = -1;  // scoreboards
  std::optional<machine::MemoryAccess> memory;
  int latency = machine::kOtherLatency;  // of the result that its scoreboard covers
  int pairedBytes = 0;                   // see sass::Lost
  bool writesAtOnce = false;
  bool passes = false;         // after a barrier, without waiting for other warps
  int awaited = -1, left = 0;  // of DEPBAR: the scoreboard, and how many may be left
};

// Of one iteration with the branch that closes it; `lost` has an entry per instruction.
std::vector<Slot> slotsOf(std::span<const Op> turn, std::span<const sass::Lost> lost,
                          const Residency& residency);

}  // namespace tileloom::rewrite
