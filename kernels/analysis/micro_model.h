// SPDX-License-Identifier: GPL-3.0-or-later
// What the rules of the register file and of shared memory say of a micro-case.
#pragma once

#include "kernels/sass/micro_case.h"
#include "kernels/sass/micro_results.h"

namespace tileloom::analysis {

// Cycles per slot, to be compared with what was measured with two warps per scheduler: then one
// warp issues while the other's branch or stall cycles pass, which the rules do not know. The
// larger of what the register file costs a warp and what the data pipe of shared memory needs for
// the loads and stores of all four schedulers.
double predictedCycles(const sass::MicroCase& which);
double comparableCycles(const sass::MicroResult& measured);

}  // namespace tileloom::analysis
