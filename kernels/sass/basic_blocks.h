// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of instructions that are entered at their first one only and left at their last one
// only, except by EXIT.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "kernels/sass/decode.h"

namespace tileloom::sass {

struct BasicBlock {
  std::size_t begin = 0;  // instructions
  std::size_t end = 0;
  std::optional<std::size_t> next;    // the block below, if control may get there
  std::optional<std::size_t> target;  // the block that the last instruction branches to or calls
};

// Whether the guard decides if the instruction is executed.
bool isConditional(const Decoded& instruction);

// In the order of the code. std::nullopt: a branch, call or return goes to an address that the code
// does not say, or that is outside of it.
std::optional<std::vector<BasicBlock>> basicBlocks(std::span<const Decoded> code);

}  // namespace tileloom::sass
