// SPDX-License-Identifier: GPL-3.0-or-later
// One thread that executes machine code with numbers: it checks the rewriter's checks.
// Multiply-adds are computed; every other result is a hash of the instruction and of the values of
// its operands, so that two results are equal only if instruction and operands are. It shares
// neither the expressions of expressions.h nor the timing model of issue.h.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/rewrite/expressions.h"
#include "kernels/rewrite/op.h"

namespace tileloom::test {

struct Outcome {
  std::map<rewrite::Place, std::uint32_t> values;  // of what was written
  // One hash for each access to memory except shared loads, and for each barrier, wait and branch.
  std::vector<std::uint64_t> effects;
  std::uint64_t seed = 0;

  std::uint32_t valueOf(const rewrite::Place& place) const;  // also of what was not written
};

// One instruction after the other, each as fast as possible. `seed` determines the initial
// registers. Forward branches are taken; a backward one is noted but not taken.
Outcome inOrder(std::span<const rewrite::Op> code, std::uint64_t seed);

// The same as a warp would do it: instructions are issued when their stall cycles and waits allow
// it, results are ready some cycles later, and instructions of unknown latency take a random time,
// from a few to thousands of cycles. Operands that are marked `.reuse` come from the operand cache.
// A shared load that has not arrived when a barrier of the block is reached is an effect that
// inOrder() does not have. The code must not have forward branches.
Outcome inTime(std::span<const rewrite::Op> code, std::uint64_t seed, std::uint64_t timing);

}  // namespace tileloom::test
