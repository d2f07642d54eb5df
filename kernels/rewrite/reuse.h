// SPDX-License-Identifier: GPL-3.0-or-later
// Which operands stay in the operand cache (`.reuse`).
#pragma once

#include <span>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// Marks each register that the next multiply-add to read the same slot and bank reads again, as
// long as nothing writes it in between; removes all other marks of multiply-adds. The sequence is
// straight: nothing is kept beyond its end.
void setReuse(std::span<Op> ops);

}  // namespace tileloom::rewrite
