// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that one launch moves at each level of the memory, predicted from the trace's totals of the
// whole grid and from the order in which its blocks come to the SMs.
//
// Accuracy, against the counters of the 39 recorded H100 runs (traffic_test.cpp prints them):
// * L1 and shared memory: as exact as the trace's wavefronts (docs/design/02-fidelity.md). Those
//   of global accesses are by banks (docs/hardware.md, rule 13; totals_test.cpp).
// * L2: lts__t_bytes counts what the SMs request and, in addition, about half of what DRAM moves
//   (presumably between the two halves of the cache; this is not documented). With that half added
//   the prediction is within 26 % for all runs. It does not know that blocks of one SM can share a
//   strip in L1 (rungs 2 and 3 at 2048 request a fifth less).
// * DRAM: within a factor of 2.2 for all runs; the median error is below 20 %. It depends on
//   whether the blocks of a wave advance along K in step, which the counts of the trace cannot
//   show: rungs 6, 7, 8 and 12 have the same tile at 8192 and move 5.2, 5.4, 12.7 and 16.1 GB. The
//   range between both extremes is therefore given, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom::analysis {
struct Totals;
}

namespace tileloom::model {

// The L2 cache of the device of the recorded runs, as reported by its driver.
inline constexpr double kReferenceL2Bytes = 50.0 * 1024 * 1024;

// The properties of a device that matter here.
struct Machine {
  int sms = kReferenceSms;
  double l2CacheBytes = kReferenceL2Bytes;
  bool operator==(const Machine&) const = default;
};

// L1 and shared memory count as one level, because one data pipe of 128 bytes per cycle and SM
// serves both.
enum class MemoryLevel : std::uint8_t { Dram, L2, Shared };

struct Traffic {
  Ladder ladder = Ladder::Fp32;  // whose pipes multiply
  bool warpgroups = false;       // by wgmma, to which the roof of mma.sync does not apply
  double flops = 0;              // useful FLOPs: 2 M N K
  double sharedBytes = 0;        // wavefronts that its pipe serves x 128 bytes
  double sharedAskedBytes = 0;   // the sum of the bytes that each lane loads and stores
  double l1Bytes = 0;            // wavefronts of global accesses x 128 bytes
  double l2Bytes = 0;            // that the SMs request from L2 or send to it
  double dramBytes = 0;          // read and written: an estimate between the two extremes below
  double dramLeast = 0;          // if all blocks of a wave advance along K in step
  double dramMost = 0;           // if they do not advance in step at all
  // What the hardware has counted in this very launch, which is preferred to the estimate.
  std::optional<double> countedDram = std::nullopt;
  bool mayStandInL2 = false;  // see below
  double leastBytes = 0;   // A, B and C read once, C written once, without padding; on the tensor
                           // ladder C is not read, because beta is 0
  std::int64_t waves = 0;  // of blocks

  double bytes(MemoryLevel level) const;  // counted ones where there are any
  bool counted(MemoryLevel level) const { return level == MemoryLevel::Dram && countedDram; }
  // FLOP per byte. std::nullopt: no byte moves at this level.
  std::optional<double> intensity(MemoryLevel level) const;
  bool operator==(const Traffic&) const = default;
};

// `grid` has the totals of the whole grid (gridTotals) of a legal tile; `problem` is the requested
// size; blocksPerSm is at least 1. Takes microseconds: one step per wave of blocks.
//
// L2: with plain loads, each block requests each sector of its strips of A and B once, because L1
// keeps the parts that the block's other warps and the next K tile need. Without that, rungs 1 and
// 2 would be far slower than they are. Asynchronous copies count as often as they are executed; so
// do loads of data that other SMs have written: partial sums with split-K.
//
// DRAM: the blocks of a wave need distinct strips of rows of A and of columns of B. If the blocks
// advance along K in step, each strip is fetched once, and the next wave finds in L2 what is still
// there if the strips of a wave fit. Out of step, a strip that is shared by blocks far apart in the
// order of launch is fetched by each of them, unless so few bytes pass through L2 in between that
// it is still there. C is read and written once (on the tensor ladder written only).
Traffic traffic(const Stage& stage, const TileShape& tile, const Problem& problem,
                const analysis::Totals& grid, int blocksPerSm, const Machine& machine = {});

// A, B and C read once and C written once, without padding; on the tensor ladder C is not read.
double leastBytesOf(const Stage& stage, const Problem& problem);
// Whether L2 can hold much of A, B and C: together they are at most three times as large. The time
// of their bytes at DRAM's bandwidth then assumes that L2 is cold, and that all of C is written
// back by the end of the launch. A repeated launch may find A, B and C in L2, and may leave C
// there.
bool mayStandInL2(const Stage& stage, const Problem& problem, const Machine& machine);
inline constexpr std::string_view kColdL2 = "with a cold L2 and C written back";

// Blocks per SM if neither a compiler nor a run gives the registers: with the expected number (see
// expectedRegisters), at least 1.
int estimatedBlocksPerSm(const Stage& stage, const TileShape& tile, const Architecture& arch);

// The share of all wavefronts of shared memory that bank conflicts cause, 0 to 1; 0 if there are no
// wavefronts.
double conflictShare(const analysis::Totals& totals);

// The number of distinct row and column indices of consecutive blocks.
struct Strips {
  std::int64_t fast = 0;  // of the index that increases first in the order of launch (x)
  std::int64_t slow = 0;  // of the other one
  bool operator==(const Strips&) const = default;
};
// The strips of the blocks with numbers [begin, end) in a grid of `across` x `down` blocks, which
// are numbered down `group` rows before the next column (1: row by row). begin < end.
Strips stripsOf(std::int64_t across, std::int64_t down, std::int64_t group, std::int64_t begin,
                std::int64_t end);

}  // namespace tileloom::model
