// SPDX-License-Identifier: GPL-3.0-or-later
// Executes conversions between integers and floating-point numbers, and between widths of these.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// Operation::kind is the width of a floating-point number, `bytes` that of an integer.
enum : std::uint8_t { kSingle, kDouble, kHalf };

void fromInteger(Warp& warp, const Operation& o);  // I2F, I2FP: `half` of B is its place
void toInteger(Warp& warp, const Operation& o);    // F2I
void toWhole(Warp& warp, const Operation& o);      // FRND
void narrow(Warp& warp, const Operation& o);       // F2F.F32.F64
void widen(Warp& warp, const Operation& o);        // F2F.F64.F32

}  // namespace tileloom::executor
