// SPDX-License-Identifier: GPL-3.0-or-later
// Where an operand is whose place depends on bits 9 to 11 of the opcode.
#pragma once

#include "kernels/sass/form.h"

namespace tileloom::sass {

// The operand of an instruction with this value of bits 9 to 11, on this compute capability: its
// slot is Fixed.
Field placed(const Field& field, int shape, int capability);

}  // namespace tileloom::sass
