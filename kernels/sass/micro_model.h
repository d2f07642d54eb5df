// SPDX-License-Identifier: GPL-3.0-or-later
// What the model of the register file says of a micro-case.
#pragma once

#include "kernels/sass/micro_case.h"
#include "kernels/sass/register_banks.h"

namespace tileloom::sass {

// Cycles per slot of one warp that has a scheduler for itself, in a turn that many others came
// before. To be compared with the first figure of MicroResult::cycles.
double predictedCycles(const MicroCase& which);

}  // namespace tileloom::sass
