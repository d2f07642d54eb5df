// SPDX-License-Identifier: GPL-3.0-or-later
// How long an iteration of a main loop takes, by the model of one SM (kernels/machine): four
// schedulers that share a block's warps, the paths of their memory instructions, the barrier, and
// the registers that shared loads write (sass/write_ports.h). A scheduler issues one instruction
// per cycle, in the order of the hardware (machine/scheduler.h). An instruction waits for stall
// cycles and scoreboards as its control bits say, and, if it is not arithmetic, for the barrier
// before it (rule 75). All warps begin together and execute the same number of iterations, as those
// of a wave do; some of them end earlier, and the others continue alone. Global memory answers
// after a latency between those of L2 and DRAM and has room for all requests, so that the model
// covers the loop alone.
//
// It is a prediction. docs/log/performance.md compares it with an H100.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rewrite/op.h"
#include "kernels/rewrite/turn_inputs.h"
#include "kernels/sass/register_banks.h"
#include "kernels/tile/architecture.h"

namespace tileloom::rewrite {

// The state of a warp in a cycle.
enum class WarpState {
  Issues,
  Ready,         // but its scheduler issues for another warp
  RegisterFile,  // its instruction loses a cycle to the register file
  FixedLatency,  // stall cycles pass
  SharedLoads,   // or others of short latency: a scoreboard is not zero
  GlobalLoads,   // or copies: the same
  Barrier,
  MemoryWay,  // too many instructions wait for its scheduler's path to memory
};
inline constexpr std::size_t kWarpStates = 8;

struct TurnTime {
  double cycles = 0;  // in which each warp executes one iteration, until the last one has
  // The share of the time of all warps in each WarpState, 0 to 1.
  std::array<double, kWarpStates> states{};
  double stateShare(WarpState state) const { return states[static_cast<std::size_t>(state)]; }
  // For the iteration of a warp that is most like all others, for each instruction: the cycle in
  // which it was issued, from the first one on, and for how many cycles before that the warp could
  // not issue (including stall cycles and cycles lost to the register file, but not those in which
  // its scheduler issued for another warp).
  std::vector<int> issued;
  std::vector<int> waited;
  int length = 0;  // cycles of this iteration, to the first instruction of the next one
  // The share of all issue slots, 0 to 1, that `count` instructions of each iteration take.
  double issueShare(int count, int warps) const {
    return cycles > 0 ? double(warps) / Architecture::kPartitions * count / cycles : 0;
  }
};

// `turn` is one iteration with the branch that closes it, and `lost` what the rules of the register
// file give for each of its instructions (sass::lostCycles), one entry per instruction. The cycles
// that paired loads cost a warp alone are not used: here each scheduler's warps share them. Forward
// branches are not taken.
TurnTime turnTime(std::span<const Op> turn, std::span<const sass::Lost> lost,
                  const Residency& residency);

// From each shared load that an instruction of the iteration or the next one uses to its first use.
struct LoadToUse {
  std::size_t load = 0;  // indices into the iteration
  std::size_t use = 0;
  bool nextTurn = false;
  int cycles = 0;  // from issue to issue
};
std::vector<LoadToUse> loadsToUses(std::span<const Op> turn, const TurnTime& time);

}  // namespace tileloom::rewrite
