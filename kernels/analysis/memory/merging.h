// SPDX-License-Identifier: GPL-3.0-or-later
// The trace holds a stage's loads as written; the assembler merges scalar shared loads of an
// unrolled loop into 64- and 128-bit ones. This pass finds the groups: same array, consecutive
// words in every thread of the block, aligned in every thread, with no store, barrier or
// rolled-loop edge between. Global loads are never merged: the compiler does not know the alignment
// of a matrix.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// A memory access as the hardware executes it: one or more instructions of the trace.
struct Access {
  std::uint32_t first = 0;   // the instruction in program order at which it is executed
  std::uint32_t lowest = 0;  // the instruction that holds its lowest address
  std::uint32_t width = 1;   // words per lane, after merging
  std::uint32_t merged = 1;  // instructions of the trace that it replaces
};

// The accesses of one barrier interval.
struct IntervalAccesses {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<Access> accesses;         // in program order
  std::vector<std::uint32_t> accessOf;  // per instruction: index into accesses, or kNone
};

// The plan for `warp` in `interval`. Warps that run the same instructions share one decision, since
// the assembler makes it once for the whole block.
IntervalAccesses accessesOf(const emulator::Trace& trace, std::uint32_t warp,
                            std::uint32_t interval);

// The plans of a whole block, [interval][warp]; warps that run the same instructions share one.
using BlockAccesses = std::vector<std::vector<std::shared_ptr<const IntervalAccesses>>>;
BlockAccesses accessesOf(const emulator::Trace& trace);

// The first 32-bit word that each lane touches; inactive lanes hold 0. It counts from the start of
// the matrix (a word is one element or two), or of the block's shared memory.
std::array<std::uint32_t, 32> laneAddresses(const emulator::Trace& trace,
                                            const emulator::WarpInterval& view,
                                            std::uint32_t instruction);

// The first word of its matrix that each lane of an asynchronous copy reads; inactive lanes hold 0.
std::array<std::uint32_t, 32> copiedElements(const emulator::WarpInterval& view,
                                             std::uint32_t instruction);

}  // namespace tileloom::analysis
