// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch takes, predicted without a GPU: a bottleneck model of the SM over the trace.
//
// A K tile of all `n` blocks on an SM keeps each pipe busy for some cycles: instruction issue (of
// four schedulers, the fullest counts), the shared-memory data pipe, L2, DRAM. The fullest pipe
// counts, a bit more where two are nearly as full. To that comes what a block waits for by itself
// and the others do not hide: its own chain of instructions, the way to global memory, and the
// shared loads at each dot index. Tiles follow one another along K, and waves of blocks. See
// docs/tuning.md for how good it is and where it fails.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/model/workload.h"

namespace tileloom::model {

// What is fitted for the rungs of one family, all in SM cycles.
struct FamilyRates {
  double slot = 1;   // that an issue slot takes: above 1 where operands collide in registers
  double chain = 1;  // of a warp's own issue cycles, the part that adds to a block's waiting
  double fetch = 0;  // of a K tile's waiting for global memory and barriers
  double dot = 0;    // of waiting for fragments, at each dot index
  bool operator==(const FamilyRates&) const = default;
};

// Measured over predicted time on runs that the fit has not seen: eight of ten lie within.
struct Band {
  double low = 1;
  double high = 1;
  bool operator==(const Band&) const = default;
};

// A device, as far as its data sheet tells.
struct Chip {
  Machine machine;
  double clockMHz = 0;
  double dramBytesPerSecond = 0;  // 0: unknown, and never the bottleneck
  bool operator==(const Chip&) const = default;
};
Chip referenceChip();  // the H100 of the recorded runs

// Constants of one architecture.
struct Rates {
  std::string arch;    // "sm_90"
  std::string device;  // that the runs are of
  Chip chip;           // what it is
  std::string fitted;  // on what: "2,310 runs of 2026-11-21, of every other tile"
  double mixing = 1;   // power that joins busy and waiting: 1 adds them, large takes the larger
  double l2Bytes = 0;  // a cycle and SM
  double sectorCycles = 0;    // of the shared-memory data pipe, which L1 shares, for a sector
  double wavefrontWait = 0;   // of a block's waiting, for a wavefront
  double slotsPerAccess = 0;  // where there is no machine code
  std::array<FamilyRates, kFamilies> families{};
  Band withCode, withoutCode;
  bool operator==(const Rates&) const = default;
};

enum class Pipe : std::uint8_t { Issue, Shared, L2, Dram };
inline constexpr std::size_t kPipes = 4;
std::string_view name(Pipe pipe);  // "instruction issue", "L1 and shared-memory data pipe", …

struct Prediction {
  double cycles = 0;                  // of a K tile of all blocks that share an SM
  std::array<double, kPipes> busy{};  // cycles of those, by Pipe
  double exposed = 0;                 // cycles in which no pipe is the reason: latency
  double ffmaShare = 0;               // FMA pipe: of all cycles, 0 to 1
  int resident = 0;                   // blocks that share an SM in a full wave
  double waves = 0;                   // of blocks, not rounded
  double milliseconds = 0;
  double gflops = 0;
  double gflopsLow = 0, gflopsHigh = 0;  // the band
  bool fromCode = false;                 // the machine code was known

  double share(Pipe pipe) const;  // of all cycles, 0 to 1
  double exposedShare() const { return cycles > 0 ? exposed / cycles : 0; }
  // What the time goes into most; nothing: into latency.
  std::optional<Pipe> bottleneck() const;
  double bottleneckShare() const;  // of all cycles, 0 to 1
};

Prediction predict(const Workload& work, const Rates& rates, const Chip& chip);

// SM cycles of the whole launch, for a fit.
double predictCycles(const Workload& work, const Rates& rates, const Chip& chip);

}  // namespace tileloom::model
