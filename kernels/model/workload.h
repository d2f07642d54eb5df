// SPDX-License-Identifier: GPL-3.0-or-later
// What one K tile asks of an SM, in the units of its pipes: the trace's side of a prediction.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/analysis/totals.h"
#include "kernels/model/traffic.h"
#include "kernels/sass/loop_size.h"

namespace tileloom::model {

// How a rung hides what it waits for; rungs of one family share constants.
enum class Family : std::uint8_t {
  Untiled,         // reads global memory for each multiply-add
  Alternating,     // fills shared memory, then computes, with a barrier between
  FragmentsAhead,  // the same, but loads the next fragments while it multiplies
  Staged,          // fetches the next K tile into registers while it works on this one
  Pipelined,       // fetches the next K tiles past the registers, or A through them
};
inline constexpr std::size_t kFamilies = 5;
Family familyOf(const Stage& stage);

// Of a tile as a compiler sees it.
struct KernelShape {
  int blocksPerSm = 0;                 // at least 1
  std::optional<sass::LoopSize> loop;  // where the machine code is at hand
  bool operator==(const KernelShape&) const = default;
};

struct Workload {
  Family family = Family::Alternating;
  double warps = 0;   // a block
  double stepK = 0;   // elements of K in a K tile
  double kTiles = 0;  // of a launch
  std::int64_t blocks = 0;
  int blocksPerSm = 1;
  double flops = 0;  // useful ones of the launch
  // Of one warp for one K tile, in warp instructions:
  double ffmas = 0;
  double accesses = 0;              // loads, stores and copies
  std::optional<double> loopSlots;  // issue slots, from the machine code
  // Of one block for one K tile:
  double wavefronts = 0;  // of shared memory
  double sectors = 0;     // of global memory, as L1 is asked for them
  double l2Bytes = 0;
  double dramBytes = 0;
};

// From the totals of the loop over K of one block (SplitTotals::loop) of which `kTilesTraced` K
// tiles were traced. The tile is legal, at least one K tile traced.
Workload workloadOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                    const analysis::Totals& loop, std::uint32_t kTilesTraced,
                    const KernelShape& kernel, const Machine& machine = {});

// The same where nothing is traced yet: traces the first K tile of the first block.
struct LoopTotals {
  analysis::Totals totals;
  std::uint32_t kTiles = 0;
};
LoopTotals traceLoop(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                     const Problem& problem);

}  // namespace tileloom::model
