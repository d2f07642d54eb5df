// SPDX-License-Identifier: GPL-3.0-or-later
// What one K tile requires of an SM, in the units of its pipes: the input of a prediction, derived
// from the trace.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/model/limits/traffic.h"
#include "kernels/sass/loop_size.h"
#include "kernels/tile/last_wave.h"

namespace tileloom::model {

// How a rung hides latency. Rungs of one family share constants.
enum class Family : std::uint8_t {
  Untiled,         // reads global memory for each multiply-add
  Alternating,     // fills shared memory, then computes, with a barrier between
  FragmentsAhead,  // the same, but loads the next fragments while it multiplies
  Staged,          // fetches the next K tile into registers while it computes the current one
  Pipelined,       // copies the next K tile of B asynchronously, fetches that of A into registers
  WarpTiled,       // as Alternating, with a tile for each warp
  Copied,          // copies the next K tiles of A and B asynchronously
  Rewritten,       // as Pipelined, with a main loop that is rewritten after compiling
};
inline constexpr std::size_t kFamilies = 8;
Family familyOf(const Stage& stage);
// Whether K tiles are in flight while others are multiplied, and whether copies bring them there.
bool overlaps(Family family);
bool copies(Family family);

// The compiler's data on a tile.
struct KernelShape {
  int blocksPerSm = 0;                 // at least 1
  std::optional<sass::LoopSize> loop;  // std::nullopt: no machine code
  bool asCompiled = false;  // of a stage with a rewriter: the loop of this tile was not rewritten
  bool operator==(const KernelShape&) const = default;
};

struct Workload {
  Family family = Family::Alternating;
  double warps = 0;    // per block
  double stepK = 0;    // elements of K in a K tile
  double sumsKiB = 0;  // accumulators of a block
  double kTiles = 0;   // per launch
  std::int64_t blocks = 0;
  int blocksPerSm = 1;
  int split = 1;     // maximum number of parts of a tile of the last wave (divisionOf)
  double flops = 0;  // useful ones of the launch
  // Per warp and K tile, in warp instructions:
  double ffmas = 0;
  double accesses = 0;              // loads, stores and copies
  double fills = 0;                 // stores and copies to shared memory
  std::optional<double> loopSlots;  // issue slots, from the machine code
  double turns = 0;    // iterations of the loop over k; 0: it is unrolled, or there is no such loop
  double codeKiB = 0;  // of machine code that the loop takes; 0: unknown
  // Per block and K tile:
  double wavefronts = 0;  // of shared memory; without it, cycles of L1 for loads
  double conflicts = 0;   // those of the wavefronts that only bank conflicts cause
  double sectors = 0;     // of global memory, as requested from L1
  double l2Bytes = 0;
  double dramBytes = 0;
  double dramLeast = 0;  // see Traffic
};

// Iterations of the loop over k if the kernel has not been compiled: most loops with warp tiles
// that alternate between fill and compute are not unrolled (of 1,231 recorded tiles of rung 8,
// 1,076 have one or two k in an iteration), the others are.
double likelyTurns(const Workload& work);
// How the last wave is divided if the GPU holds this many blocks at a time.
WaveDivision cutOf(const Workload& work, double slots);

// From the totals of one block's loop over K (SplitTotals::loop), of which `kTilesTraced` K tiles
// were traced, at least one. The tile must be legal.
Workload workloadOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                    const analysis::Totals& loop, std::uint32_t kTilesTraced,
                    const KernelShape& kernel, const Machine& machine = {});

}  // namespace tileloom::model
