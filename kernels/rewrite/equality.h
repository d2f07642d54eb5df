// SPDX-License-Identifier: GPL-3.0-or-later
// The proof that two versions of a loop's turn compute the same. Both are executed symbolically
// (expressions.h). If every value that lives on is the same expression in both, and all effects on
// memory and other threads are the same in the same order, then so are the results of the loop, by
// induction over its turns.
//
// What the proof takes for granted, besides what the instructions mean: shared memory that a thread
// reads between two barriers of the block is not written between the same barriers, by any thread
// or copy. So a shared load may change places with stores between the same two barriers, and with
// nothing else. That is true of the kernels that are rewritten: they fill one buffer while they
// read the other. A kernel whose threads read what they, or lanes of their warp, have just stored
// would break it, and the emulator would not call that a race. Time the proof does not know: that
// is checked by issue.h.
#pragma once

#include <span>
#include <string>

#include "kernels/rewrite/loop_code.h"

namespace tileloom::rewrite {

// `before` and `after` are turns with the jump that closes the loop as their last instruction;
// `before` may have forward jumps. The result is empty if they compute the same; otherwise it is
// one sentence without a full stop about the first difference.
std::string whyNotEqual(std::span<const Op> before, std::span<const Op> after,
                        const LiveAround& live);

}  // namespace tileloom::rewrite
