// SPDX-License-Identifier: GPL-3.0-or-later
// The length of a kernel's main loop, read from its machine code without a disassembler.
#pragma once

#include <optional>
#include <span>

namespace tileloom {
struct MmaRow;
}

namespace tileloom::sass {

// One iteration of the loop with the most multiply-adds, for one warp. mainLoop finds the same loop
// in a listing, and the tests compare both.
struct LoopSize {
  int instructions = 0;
  int ffmas = 0;
  int hmmas = 0;   // mma.sync of 16-bit elements or TF32 on tensor cores
  int hgmmas = 0;  // wgmma
  // Issue slots per multiply-add, including those of all other instructions of the loop; 0: the
  // loop has no multiply-adds.
  double slotsPerFfma() const { return ffmas == 0 ? 0 : double(instructions) / ffmas; }
  bool operator==(const LoopSize&) const = default;
};

// Reads the loop from a compiled kernel as NVRTC returns it, by the opcodes of FFMA, HMMA, HGMMA
// and BRA and the bits that hold a branch's distance: other instructions may be unknown to
// decode.h. Each HMMA counts as the kernel's `mma`; nullptr: m16n8k16. std::nullopt: not such a
// file, or no loop has a multiply-add.
std::optional<LoopSize> loopSize(std::span<const char> cubin, const MmaRow* mma = nullptr);

}  // namespace tileloom::sass
