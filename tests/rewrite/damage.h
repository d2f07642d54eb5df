// SPDX-License-Identifier: GPL-3.0-or-later
// Small changes to a turn of machine code, by chance: what the rewriter's judges have to see.
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

// Changes what the turn says: operands, guards, modifiers, the order and the number of
// instructions. The jump at its end stays its last instruction. std::nullopt: this time nothing
// that can be encoded came of it.
std::optional<Damaged> damagedMeaning(std::span<const rewrite::Op> turn, Random& random);

// Changes only when instructions start: waits, stall cycles, scoreboards, marks for the operand
// cache, and places.
std::optional<Damaged> damagedTime(std::span<const rewrite::Op> turn, Random& random);

// The same instructions at their new places, encoded and decoded again. The addresses begin with
// the one that the turn had, and its last instruction jumps there.
std::optional<std::vector<rewrite::Op>> placedAgain(std::vector<rewrite::Op> turn);

}  // namespace tileloom::test
