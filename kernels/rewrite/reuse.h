// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the operands that stay in the operand cache (`.reuse`).
#pragma once

#include <span>
#include <string>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// Marks each register that the next multiply-add to read the same slot and bank reads again, as
// long as nothing writes it in between; removes all other marks. The sequence is straight-line
// code: nothing is kept beyond its end.
void setReuse(std::span<Op> ops);

// Empty if no instruction of this iteration, which is followed by itself, finds a register in the
// operand cache that has been written since; otherwise one sentence without a full stop.
std::string whyStale(std::span<const Op> turn);

}  // namespace tileloom::rewrite
