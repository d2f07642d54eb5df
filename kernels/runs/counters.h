// SPDX-License-Identifier: GPL-3.0-or-later
// The hardware counters that are read, and how their values are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/runs/counter_values.h"

namespace tileloom::runs {

// Why counted conflicts exceed those of a pattern (docs/hardware.md, rule 39).
inline constexpr std::string_view kArbitration =
    "On a large grid a profiler counts more bank conflicts: accesses of several warps delay each "
    "other, too (arbitration).";

// Each has its row in counters.cpp, in the same order.
enum class Counter : std::uint8_t {
  // How busy the GPU was: rates and shares that depend on time.
  SmBusy,                // share of the launch in which an SM has work, 0 to 1, mean of the SMs
  FmaPipe,               // share of an SM's busy cycles in which its FMA pipe is used, 0 to 1
  InstructionsPerCycle,  // IPC: warp instructions per busy cycle of an SM
  AchievedOccupancy,     // warps in flight over those that an SM can hold, 0 to 1
  DramBytes,             // read and written
  L2Bytes,               // that pass the L2 cache
  TensorPipe,            // share of an SM's busy cycles in which its tensor cores multiply, 0 to 1
  StalledGmma,           // as the reasons below, before wgmma: for the other warps of the warpgroup
  // What the warps in flight wait for: how many of a scheduler's warps, on average over the cycles
  // in which it issues an instruction, could not continue for this reason.
  StalledBarrier,          // at a barrier
  StalledLongScoreboard,   // for data from L1, L2 or DRAM
  StalledShortScoreboard,  // for data from shared memory
  StalledMioThrottle,      // for room in the queue of shared-memory instructions
  StalledLgThrottle,       // for room in the queue of global-memory instructions
  StalledMathPipe,         // for the pipe of the multiply-adds
  StalledDispatch,         // for the dispatcher, where operands collide in the register file
  StalledWait,             // for a fixed number of cycles after the instruction before
  StalledNoInstruction,    // for the instruction itself
  StalledNotSelected,      // for nothing, but the scheduler has chosen another warp
  StalledSelected,         // for nothing: its instruction is issued, so that this is 1
  // What a launch does, independent of time: the trace counts the same (analysis/totals.h).
  SharedLoadInstructions,
  SharedLoadWavefronts,
  SharedLoadConflicts,
  SharedStoreInstructions,
  SharedStoreWavefronts,
  SharedStoreConflicts,
  GlobalFetchRequests,  // loads and asynchronous copies: the hardware counts them as one
  GlobalFetchSectors,
  GlobalStoreRequests,
  GlobalStoreSectors,
  FfmaThreadInstructions,
  TensorInstructions,      // mma
  MatrixLoadInstructions,  // ldmatrix
  MatrixLoadWavefronts,
  MatrixLoadConflicts,
  ProductInstructions,  // HGMMA, once for each of the four warps
  ProductWavefronts,    // in which tensor cores read their operands from shared memory
  ProductConflicts,
  BoxInstructions,  // TMA loads
  BoxBytes,         // that they read from L2: none for parts outside a matrix
  AsyncInstructions,
  AsyncSectors,
  AsyncWavefronts,
  AsyncConflicts,
  // Wavefronts again, but added up by CUPTI instruction by instruction. The hardware's own counter
  // also contains the delays that accesses of several warps cause each other (arbitration); these
  // do not.
  SharedLoadWavefrontsAlone,
  SharedStoreWavefrontsAlone,
};

struct CounterSpec {
  Counter counter;
  std::string_view key;     // in JSON; the same as in analysis::Totals for the same count
  std::string_view metric;  // as Nsight Compute and CUPTI name it
  double unit = 1;          // factor from the metric to our value (0.01 for a percentage)
};
std::span<const CounterSpec> counterSpecs();  // in the order of Counter
const CounterSpec& specOf(Counter counter);

// The counters that are shown beside a measured run. The hardware needs one or two passes for them,
// which means as many additional launches.
std::span<const Counter> liveCounters();
// The counters that the trace predicts exactly, and those that explain a difference.
std::span<const Counter> exactCounters();

// {key: value}; whole numbers are kept to the last digit, others to six.
nlohmann::ordered_json toJson(const Counters& counters);
// Unknown keys are ignored; the error is one sentence without a full stop.
tl::expected<Counters, std::string> countersFrom(const nlohmann::json& json);

}  // namespace tileloom::runs
