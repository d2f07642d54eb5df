// SPDX-License-Identifier: GPL-3.0-or-later
// The prediction for a micro-case by the rules of the register file and of shared memory.
#pragma once

#include "kernels/sass/micro_case.h"
#include "kernels/sass/micro_results.h"

namespace tileloom::analysis {

// Cycles per slot, to compare with measurements with two warps per scheduler: then one warp issues
// during the other's branch or stall cycles, which the rules do not cover. The larger of the
// register file's cost for a warp and the time of shared memory's data pipe for the loads and
// stores of all four schedulers.
double predictedCycles(const sass::MicroCase& which);
double comparableCycles(const sass::MicroResult& measured);

}  // namespace tileloom::analysis
