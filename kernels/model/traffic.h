// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that one launch moves at each level of the memory, predicted from the trace's totals of the
// whole grid and from the order in which its blocks come to the SMs.
//
// How good it is, against the counters of the 39 recorded H100 runs (traffic_test.cpp prints them):
// * L1 and shared memory: as exact as the trace's wavefronts (docs/fidelity.md). That a global
// access
//   takes a wavefront for each line of 128 bytes is within 1.1 % of what 5 of 7 launches of rungs 1
//   and 2 were counted to take, 4.3 % at worst (totals_test.cpp);
// * L2: lts__t_bytes counts what the SMs ask for and, as it turned out, about half of what DRAM
//   moves once more (presumably between the two halves of the cache; not documented). With that
//   half added the prediction is within 26 % for all runs; blocks of one SM that share a strip in
//   L1 are what it does not know (rungs 2 and 3 at 2048 ask a fifth less);
// * DRAM: within a factor of 2.2 for all runs, the median being within 20 %. What decides is
// whether
//   the blocks of a wave walk along K in step. Rungs 6, 7, 8 and 12 have the same tile at 8192 and
//   move 5.2, 5.4, 12.7 and 16.1 GB: no count of the trace tells them apart. So the range between
//   both extremes is given, too.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/analysis/totals.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom::model {

// The L2 cache of the device that the recorded runs are of, as its driver says.
inline constexpr double kReferenceL2Bytes = 50.0 * 1024 * 1024;

// What of a device matters here.
struct Machine {
  int sms = kReferenceSms;
  double l2CacheBytes = kReferenceL2Bytes;
  bool operator==(const Machine&) const = default;
};

// L1 and shared memory are one: a data pipe of 128 bytes a cycle and SM serves both.
enum class MemoryLevel : std::uint8_t { Dram, L2, Shared };

struct Traffic {
  double flops = 0;             // useful ones: 2 M N K
  double sharedBytes = 0;       // wavefronts of loads, stores and copies x 128 bytes
  double sharedAskedBytes = 0;  // that lanes load and store, each lane's own
  double l1Bytes = 0;           // wavefronts of global accesses x 128 bytes
  double l2Bytes = 0;           // that the SMs ask of L2 or send there
  double dramBytes = 0;         // read and written: the estimate, between
  double dramLeast = 0;         // … what it would be if all blocks of a wave kept step, and
  double dramMost = 0;          // … if they did not at all
  double leastBytes = 0;        // A, B and C read once, C written once, without padding
  std::int64_t waves = 0;       // of blocks

  double bytes(MemoryLevel level) const;
  // FLOP per byte; nothing where no byte moves there.
  std::optional<double> intensity(MemoryLevel level) const;
  bool operator==(const Traffic&) const = default;
};

// `grid` are the totals of the whole grid (gridTotals) of a legal tile; `problem` is the size that
// was asked for; blocksPerSm is at least 1. Takes microseconds: a step for each wave of blocks.
//
// L2: each block asks for each sector of its strips of A and B once, if it asks for it by plain
// loads: L1 keeps what the block's other warps, and the next K tile, want of it. That is what makes
// rungs 1 and 2 possible at all. Asynchronous copies are charged as they are counted.
//
// DRAM: the blocks of a wave need distinct strips of rows of A and of columns of B, once if they
// walk along K in step; the next wave finds in L2 what still is there if a wave's strips fit. Out
// of step, a strip that is shared by blocks far apart in the order of launch is fetched by each of
// them, unless so little passes L2 in between that it is still there. C is read and written once.
Traffic traffic(const Stage& stage, const TileShape& tile, const Problem& problem,
                const analysis::Totals& grid, int blocksPerSm, const Machine& machine = {});

// Blocks an SM where no compiler and no run tells the registers: from Derived::estimatedRegisters,
// at least 1.
int estimatedBlocksPerSm(const Stage& stage, const TileShape& tile, const Architecture& arch);

// Of all wavefronts of shared memory, the share that bank conflicts add: 0 to 1; 0 without any.
double conflictShare(const analysis::Totals& totals);

// Distinct indices that a run of blocks touches.
struct Strips {
  std::int64_t fast = 0;  // of the index that the order of launch counts up first (x)
  std::int64_t slow = 0;  // of the other one
  bool operator==(const Strips&) const = default;
};
// Of the blocks with numbers [begin, end) of a grid of `across` x `down`, numbered down `group`
// rows before the next column (1: row by row). begin < end.
Strips stripsOf(std::int64_t across, std::int64_t down, std::int64_t group, std::int64_t begin,
                std::int64_t end);

}  // namespace tileloom::model
