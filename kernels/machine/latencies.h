// SPDX-License-Identifier: GPL-3.0-or-later
// The latencies and rates of an SM of an H100 or H200, in cycles, each with its rule of
// docs/hardware.md or its micro-kernel of measurements/latencies.cu. Here is the only place that
// has them: the clock of a trace, the model of an iteration and the predictions read them.
#pragma once

#include <cstddef>

namespace tileloom::machine {

// --- shared memory and L1

// From the issue of a shared load of one wavefront until its result can be used. Each further
// wavefront adds two cycles, which its way back to its scheduler takes (rule 80).
inline constexpr int kSharedLoadLatency = 23;
inline constexpr int kReturnCycles = 2;
// In a chain of loads each address is computed from the previous result, which adds six cycles
// (rule 80).
inline constexpr int kSharedChainLatency = 29;
inline constexpr int kL1Latency = 41;
inline constexpr int kOperandsReadCycles = 14;  // until stored values have left their registers

// --- global memory

inline constexpr int kL2Latency = 283;
inline constexpr int kDramLatency = 693;
// For a load whose lines may be in either.
inline constexpr int kMemoryLatency = (kL2Latency + kDramLatency) / 2;
// For which a copy of 16 or 4 bytes and a global load occupy their scheduler's path to memory, and
// which L1 takes to look up the lines of a copy of 4 and of 16 bytes per lane (rule 81).
inline constexpr int kCopyWay = 8, kLoadWay = 4;
inline constexpr double kLookUpPerLine = 1.13, kLookUpWide = 2.4;
// This many copies may wait for their look-up; the next one blocks its scheduler's path (rule 81).
inline constexpr std::size_t kCopiesWaiting = 10;

// --- arithmetic

inline constexpr int kMultiplyAddLatency = 4;
inline constexpr int kMmaLatency = 25;
// From the issue of an LDC, an S2R, or another instruction with a scoreboard until its result can
// be used (rule 82).
inline constexpr int kConstantLatency = 25, kSpecialLatency = 35, kOtherLatency = 14;

// --- barriers

// From the last arrival at a barrier of warps until the others continue, and for each of its warps
// (rule 80).
inline constexpr int kBarrierLatency = 12;
inline constexpr int kBarrierPerWarp = 2;
// From the end of an mbarrier's phase until a waiting warp continues (rule 66).
inline constexpr int kPhaseLatency = 43;

// --- the code

// The branch that closes a loop (rule 83): the warp's next instruction comes this many cycles
// later. If the loop is longer than a scheduler's instruction cache, nothing is issued for this
// many cycles while each of its warps executes an iteration.
inline constexpr int kJumpLatency = 12;
inline constexpr int kRefetch = 25;
inline constexpr std::size_t kCachedInstructions = 340;
// A loop up to this length loses almost nothing to instruction fetch beyond that
// (docs/design/06-why.md).
inline constexpr double kCachedKiB = 16;

// --- TMA and wgmma

inline constexpr int kBoxIssue = 50;            // of the thread that issues a TMA copy (rule 66)
inline constexpr double kWgmmaPerColumn = 0.5;  // of the SM's tensor cores, per m64nNk16
// From the end of a wgmma to the next one of a warpgroup that waits for it (rule 67).
inline constexpr int kWgmmaReturn = 58;

}  // namespace tileloom::machine
