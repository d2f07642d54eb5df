// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of memory accesses, by line of the stage's source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// One row of the per-line table: all executions of one kind of access on one line of the stage.
struct LineCost {
  std::uint16_t line = 0;
  emulator::Kind kind = emulator::Kind::Barrier;
  std::string array;
  std::uint32_t width = 0;          // bytes per lane, after merging
  std::uint64_t executions = 0;     // of instructions, those that some lane executes
  std::uint64_t executionsOff = 0;  // in addition, with all lanes predicated off
  std::uint64_t wavefronts = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t sectors = 0;
  std::uint64_t usefulBytes = 0;  // of the sectors: distinct bytes that some lane accesses
  std::uint32_t degree = 0;       // the worst: words of one bank that one group of lanes accesses
  bool turned = false;            // ldmatrix.trans
};

// For all accesses of the trace, all warps; in the order of the lines.
std::vector<LineCost> lineCosts(const emulator::Trace& trace);

// The same for instructions whose data no lane moves: wgmma, with the wavefronts in which the
// tensor cores read its operands, and TMA loads and stores, with their sectors of global memory.
// Wavefronts of TMA in shared memory are unknown. `executions` are those of warps; `width` is 0.
std::vector<LineCost> asyncLineCosts(const emulator::Trace& trace);

}  // namespace tileloom::analysis
