// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's main loop, extracted from its machine code: one iteration of it as instructions
// without branches, and what is known about the code around it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/op.h"
#include "kernels/sass/cubin/cubin.h"

namespace tileloom::rewrite {

struct LoopCode {
  std::vector<Op> kernel;  // all instructions, without the padding at the end
  std::size_t begin = 0;   // of the loop: the index of its first instruction
  std::size_t end = 0;     // after the branch that closes it
  // One iteration. Instructions that a forward branch skips have the opposite guard instead, and
  // the branches are left out; so is the one that closes the loop.
  std::vector<Op> turn;

  const Op& back() const { return kernel[end - 1]; }  // the branch that closes the loop
};

// The loop with the most multiply-adds. The error is one sentence without a full stop that says why
// the loop cannot be extracted: an unknown instruction, a branch into or out of the middle of the
// loop, or a branch that cannot become a guard.
tl::expected<LoopCode, std::string> loopCodeOf(const sass::Cubin& cubin);

// Registers whose value is still needed before instruction `at` of the kernel: some path from there
// reads them before it writes them.
sass::RegisterUse liveBefore(std::span<const Op> kernel, std::size_t at);

// The two places that matter: what is live when an iteration begins, and what is live when the loop
// has ended.
struct LiveAround {
  sass::RegisterUse turn;
  sass::RegisterUse exit;
};
LiveAround liveAround(const LoopCode& loop);

}  // namespace tileloom::rewrite
