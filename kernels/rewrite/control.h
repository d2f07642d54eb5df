// SPDX-License-Identifier: GPL-3.0-or-later
// Sets waits and stall cycles of a new iteration: every instruction waits for what it needs, and
// for nothing else.
#pragma once

#include <span>
#include <string>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// `before` is the code that leads to the loop, in order; `turn` is one iteration with the branch
// that closes it as its last instruction; `behind` is the code after the loop. Sets waits and stall
// cycles of `turn`; the scoreboards that its instructions increment are given. The result is empty,
// or one sentence without a full stop that says what cannot be awaited.
std::string setWaits(std::span<const Op> before, std::span<Op> turn, std::span<const Op> behind);

// The same check of an iteration that already has its control bits: empty if every instruction of
// two iterations and of the code after them waits long enough, however long memory takes.
std::string whyTooEarly(std::span<const Op> before, std::span<const Op> turn,
                        std::span<const Op> behind);

}  // namespace tileloom::rewrite
