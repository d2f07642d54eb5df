// SPDX-License-Identifier: GPL-3.0-or-later
// Waits and stall cycles of a new turn: every instruction waits for what it needs, and for nothing
// else.
#pragma once

#include <span>
#include <string>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// `before` is the code that leads to the loop, in order, `turn` one turn with the jump that closes
// it as its last instruction, and `behind` the code behind the loop. Sets waits and stall cycles of
// `turn`; the scoreboards that its instructions count up are given. The result is empty; or it is
// one sentence without a full stop, which says what cannot be awaited.
std::string setWaits(std::span<const Op> before, std::span<Op> turn, std::span<const Op> behind);

// The same question about a turn whose control bits are already there: empty if every instruction
// of two turns and of the code behind them waits long enough, whatever the time that memory takes.
std::string whyTooEarly(std::span<const Op> before, std::span<const Op> turn,
                        std::span<const Op> behind);

}  // namespace tileloom::rewrite
