// SPDX-License-Identifier: GPL-3.0-or-later
// How long a kernel's main loop is, read from its machine code without a disassembler.
#pragma once

#include <optional>
#include <span>

namespace tileloom::sass {

// The loop with the most multiply-adds, as a warp executes it once; see mainLoop for the same from
// a listing, which the tests hold it against.
struct LoopSize {
  int instructions = 0;
  int ffmas = 0;
  // Issue slots that a multiply-add takes with all that stands around it; 0: there is none.
  double slotsPerFfma() const { return ffmas == 0 ? 0 : double(instructions) / ffmas; }
  bool operator==(const LoopSize&) const = default;
};

// Of a compiled kernel as NVRTC gives it. The encoding of instructions, 16 bytes each since
// compute capability 7.0, is not documented; what is used here (the opcodes of FFMA and BRA, and
// where a branch keeps its distance) was read off disassemblies for 8.6 and 9.0
// and of the branches of 8.0, 8.9, 10.0 and 12.0. Nothing where this
// is no such file, or where no loop has a multiply-add in it.
std::optional<LoopSize> loopSize(std::span<const char> cubin);

}  // namespace tileloom::sass
