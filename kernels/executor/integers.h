// SPDX-License-Identifier: GPL-3.0-or-later
// Executes instructions on integers. Each function is one instruction; what it
// uses of the operation follows from its name.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void move(Warp& warp, const Operation& o);
void add3(Warp& warp, const Operation& o);          // IADD3, and with carries IADD3.X
void multiplyAdd(Warp& warp, const Operation& o);   // IMAD, IMAD.X
void multiplyWide(Warp& warp, const Operation& o);  // IMAD.WIDE
void multiplyHigh(Warp& warp, const Operation& o);  // IMAD.HI
void shiftAdd(Warp& warp, const Operation& o);      // LEA
void shiftAddHigh(Warp& warp, const Operation& o);  // LEA.HI, .X, .SX32
void compare(Warp& warp, const Operation& o);       // ISETP
void select(Warp& warp, const Operation& o);        // SEL, FSEL
void minMax(Warp& warp, const Operation& o);        // IMNMX, VIMNMX
void sumMinMax(Warp& warp, const Operation& o);     // VIADDMNMX
void magnitude(Warp& warp, const Operation& o);     // IABS
void add64(Warp& warp, const Operation& o);         // UIADD3.64, without carries
void distance(Warp& warp, const Operation& o);      // VABSDIFF
void dotBytes(Warp& warp, const Operation& o);      // IDP.4A
void special(Warp& warp, const Operation& o);       // S2R
void nothing(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
