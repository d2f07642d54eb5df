// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of each line of a stage's source: the margin of a source pane.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

struct LineFigures {
  std::uint16_t line = 0;
  std::uint64_t instructions = 0;  // warp instructions, as merged by the assembler; barriers count
  std::uint64_t fmas = 0;          // multiply-adds of threads
  std::uint64_t wavefronts = 0;    // of shared accesses
  std::uint64_t conflicts = 0;     // wavefronts beyond the ideal
  std::uint64_t sectors = 0;       // of global accesses, 32 bytes each
  bool operator==(const LineFigures&) const = default;
};

// For everything in the trace, all warps; by line, executed lines only.
std::vector<LineFigures> lineFigures(const emulator::Trace& trace);

}  // namespace tileloom::analysis
