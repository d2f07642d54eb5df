// SPDX-License-Identifier: GPL-3.0-or-later
// A device, and the constants of predictions for its architecture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/model/prediction/workload.h"

namespace tileloom::model {

// The constants that are fitted for the rungs of one family.
struct FamilyRates {
  double slot = 1;     // SM cycles per issue slot: above 1 where operands collide in registers
  double chain = 1;    // share of a warp's own issue cycles that adds to the latency of its block
  double fetch = 0;    // SM cycles of latency per K tile: global memory and barriers
  double dot = 0;      // SM cycles of latency per k: fragments from shared memory
  double turn = 0;     // the same per iteration of a loop over k that is not unrolled
  double barrier = 0;  // SM cycles per K tile and warp of a block: waiting for the last warp
  double store = 0;    // SM cycles per instruction with which a warp fills shared memory
  double code = 0;     // SM cycles per iteration and KiB of a loop that the instruction cache lacks
  // How well n blocks on an SM hide each other's waiting: of the cycles above, except slots and
  // code, n^-hidden remain.
  double hidden = 0;
  // SM cycles per KiB of partial sums that an SM stores in global memory, or adds, with split-K.
  double sums = 0;
  bool operator==(const FamilyRates&) const = default;
};

// Measured over predicted time: 80 % of the runs that were not used for the fit are within.
struct Band {
  double low = 1;
  double high = 1;
  bool operator==(const Band&) const = default;
};

// A device, as described by its data sheet.
struct Chip {
  Machine machine;
  double clockMHz = 0;
  double dramBytesPerSecond = 0;  // 0: unknown, and then never the bottleneck
  bool operator==(const Chip&) const = default;
};
Chip referenceChip();  // the H100 of the recorded runs

// Constants of one architecture.
struct Rates {
  std::string arch;    // "sm_90"
  std::string device;  // that measured the runs of the fit
  Chip chip;           // what that device is
  std::string fitted;  // to what: "2,310 runs of 2026-11-21, of every other tile"
  double mixing = 1;   // power that combines busy time and latency: 1 adds, a large one maximises
  double l2Bytes = 0;  // per cycle and SM
  double sectorCycles = 0;    // of the data pipe of L1 and shared memory, per sector
  double slotsPerAccess = 0;  // issue slots per memory access if there is no machine code
  std::array<FamilyRates, kFamilies> families{};
  Band withCode, withoutCode;
  bool operator==(const Rates&) const = default;
};

enum class Pipe : std::uint8_t { Issue, Shared, L2, Dram };
inline constexpr std::size_t kPipes = 4;
std::string_view name(Pipe pipe);  // "instruction issue", "L1 and shared-memory data pipe", …

}  // namespace tileloom::model
