// SPDX-License-Identifier: GPL-3.0-or-later
// Small random changes to an iteration of machine code, which the rewriter's checks must detect.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/rewrite/op.h"
#include "tests/support/random.h"

namespace tileloom::test {

struct Damaged {
  std::string what;  // was changed
  std::vector<rewrite::Op> turn;
};

// Changes the meaning of the iteration: operands, guards, modifiers, the order and the number of
// instructions. The branch at its end stays its last instruction. std::nullopt: this time the
// result cannot be encoded.
std::optional<Damaged> damagedMeaning(std::span<const rewrite::Op> turn, Random& random);

// Changes only the timing: waits, stall cycles, scoreboards, marks for the operand cache, and
// places.
std::optional<Damaged> damagedTime(std::span<const rewrite::Op> turn, Random& random);

// The same instructions at their new places, encoded and decoded again. The addresses begin with
// that of the iteration, and its last instruction branches there.
std::optional<std::vector<rewrite::Op>> placedAgain(std::vector<rewrite::Op> turn);

}  // namespace tileloom::test
