// SPDX-License-Identifier: GPL-3.0-or-later
// Proves that two versions of a loop's iteration compute the same. Both are executed symbolically
// (expressions.h). If every value that is live afterwards is the same expression in both, and all
// effects on memory and other threads are the same in the same order, then the results of the loop
// are the same, by induction over its iterations.
//
// The proof makes one assumption, besides the meaning of the instructions: shared memory that a
// thread reads between two barriers of the block is not written between the same barriers, by any
// thread or copy. So a shared load may be exchanged with stores between the same two barriers, and
// with nothing else. That is true of the kernels that are rewritten: they fill one buffer while
// they read the other. A kernel whose threads read what they, or lanes of their warp, have just
// stored would violate it, and the emulator would not call that a race. The proof does not cover
// timing: issue.h checks that.
#pragma once

#include <span>
#include <string>

#include "kernels/rewrite/loop_code.h"

namespace tileloom::rewrite {

// `before` and `after` are iterations with the branch that closes the loop as their last
// instruction; `before` may have forward branches. The result is empty if they compute the same;
// otherwise it is one sentence without a full stop about the first difference.
std::string whyNotEqual(std::span<const Op> before, std::span<const Op> after,
                        const LiveAround& live);

}  // namespace tileloom::rewrite
