// SPDX-License-Identifier: GPL-3.0-or-later
// How long a turn of a main loop takes, by a model of one SM: four schedulers that share a block's
// warps, the ways of their memory instructions (sm_memory.h), the registers that shared loads bring
// (sass/write_ports.h), and the barrier. A scheduler issues one instruction per cycle, of one warp
// as long as that one can go on, then of the one that goes first (docs/hardware.md, rule 84). An
// instruction waits for stall cycles and scoreboards as its control bits say, and, if it is no
// arithmetic, for the barrier before it (rule 75). All warps begin together and make as many turns,
// as those of a wave do; some of them end earlier, and the others go on alone. Global memory
// answers after the latency of L2 to that of DRAM and has room for all requests, so that the model
// is about the loop alone.
//
// It is a prediction. docs/log/performance.md says how far it agrees with what an H100 needs.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rewrite/op.h"
#include "kernels/sass/register_banks.h"
#include "kernels/tile/architecture.h"

namespace tileloom::rewrite {

// What the model has to be told beside the code.
struct Residency {
  int warps = 0;  // per SM, of all its blocks: whole multiples of four are expected
  int warpsPerBlock = 0;
  // Whether some wide shared loads are served in pairs (docs/hardware.md, rule 4). turnTime takes
  // it from each load's sass::Lost.
  bool pairedLoads = false;
  // Wavefronts of the kernel's shared loads and stores, as often as they would be without bank
  // conflicts.
  double loadConflicts = 1, storeConflicts = 1;
  // Of an asynchronous copy of 4 bytes per lane, if there are any.
  double copyLines = 4;    // lines of L1 that it asks for
  int copyWavefronts = 4;  // passes of the data pipe when they arrive
};

// What a warp does in a cycle.
enum class WarpState {
  Issues,
  Ready,         // but its scheduler issues for another warp
  RegisterFile,  // its instruction loses a cycle to the register file
  FixedLatency,  // stall cycles pass
  SharedLoads,   // or others of short latency: a scoreboard is not zero
  GlobalLoads,   // or copies: the same
  Barrier,
  MemoryWay,  // too many instructions wait for its scheduler's way to memory
};
inline constexpr std::size_t kWarpStates = 8;

struct TurnTime {
  double cycles = 0;  // in which each warp makes one turn, until the last one has
  // The share of the time of all warps in each WarpState, 0 to 1.
  std::array<double, kWarpStates> states{};
  double stateShare(WarpState state) const { return states[static_cast<std::size_t>(state)]; }
  // Of that turn of a warp which is most like all others, for each instruction: the cycle in which
  // it was issued, from the first one on, and for how many cycles before that the warp could not go
  // on (stall cycles and cycles lost to the register file among them, and not those in which its
  // scheduler issued for another warp).
  std::vector<int> issued;
  std::vector<int> waited;
  int length = 0;  // cycles of this turn, to the first instruction of the next one
  // The share of all issue slots, 0 to 1, that `count` instructions of each turn take.
  double issueShare(int count, int warps) const {
    return cycles > 0 ? double(warps) / Architecture::kPartitions * count / cycles : 0;
  }
};

// `turn` is one turn with the jump that closes it, and `lost` what the rules of the register file
// say of each of its instructions (sass::lostCycles), as many as there are instructions. Of these
// the cycles that paired loads cost a warp alone are not used: here each scheduler's warps share
// them. Forward jumps are not taken.
TurnTime turnTime(std::span<const Op> turn, std::span<const sass::Lost> lost,
                  const Residency& residency);

// From each shared load that an instruction of the turn or the next one uses to its first use.
struct LoadToUse {
  std::size_t load = 0;  // indices into the turn
  std::size_t use = 0;
  bool nextTurn = false;
  int cycles = 0;  // from issue to issue
};
std::vector<LoadToUse> loadsToUses(std::span<const Op> turn, const TurnTime& time);

}  // namespace tileloom::rewrite
