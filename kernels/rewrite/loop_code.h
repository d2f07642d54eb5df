// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's main loop, taken out of its machine code: one turn of it as instructions without
// jumps, and what is known of the code around it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/op.h"
#include "kernels/sass/cubin.h"

namespace tileloom::rewrite {

struct LoopCode {
  std::vector<Op> kernel;  // all instructions, without the padding at the end
  std::size_t begin = 0;   // of the loop: the index of its first instruction
  std::size_t end = 0;     // behind the jump that closes it
  // One turn. Instructions that a forward jump passes over stand under the opposite guard instead,
  // and the jumps are left out; the one that closes the loop is left out, too.
  std::vector<Op> turn;

  const Op& back() const { return kernel[end - 1]; }  // the jump that closes the loop
};

// The loop with the most multiply-adds. The error is one sentence without a full stop, which says
// why the loop cannot be taken out: an instruction that is not known, a jump into the loop or out
// of its midst, or one that cannot become a guard.
tl::expected<LoopCode, std::string> loopCodeOf(const sass::Cubin& cubin);

// Registers whose value is still needed before instruction `at` of the kernel: some way from there
// reads them before it writes them.
sass::RegisterUse liveBefore(std::span<const Op> kernel, std::size_t at);

// The two places that matter: what lives when a turn begins, and what lives when the loop has
// ended.
struct LiveAround {
  sass::RegisterUse turn;
  sass::RegisterUse exit;
};
LiveAround liveAround(const LoopCode& loop);

}  // namespace tileloom::rewrite
