// SPDX-License-Identifier: GPL-3.0-or-later
// Executes instructions on floating-point numbers.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void fusedMultiplyAdd(Warp& warp, const Operation& o);   // FFMA
void multiply(Warp& warp, const Operation& o);           // FMUL
void add(Warp& warp, const Operation& o);                // FADD
void compareFloats(Warp& warp, const Operation& o);      // FSETP
void minMaxFloats(Warp& warp, const Operation& o);       // FMNMX
void needsSlowDivision(Warp& warp, const Operation& o);  // FCHK
void function(Warp& warp, const Operation& o);           // MUFU: `kind` is its number
void doubleMultiplyAdd(Warp& warp, const Operation& o);  // DFMA
void doubleMultiply(Warp& warp, const Operation& o);     // DMUL
void doubleAdd(Warp& warp, const Operation& o);          // DADD
void compareDoubles(Warp& warp, const Operation& o);     // DSETP

}  // namespace tileloom::executor
