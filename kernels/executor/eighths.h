// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions of E4M3 and E5M2, two numbers at a time (F2FP).
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// `kind` of packEighths() and unpackEighths().
inline constexpr std::uint8_t kE4m3 = 1;  // else E5M2

// The two lower bytes of B become FP16 numbers, or BF16 ones if `wide`; `saturates`: negative ones
// become 0.
void unpackEighths(Warp& warp, const Operation& o);
// A and B become bytes of the lower half, B the lower one; the upper half is the lower one of C.
// Numbers that are too large become the largest ones. `extended`: the two halves of B instead of A
// and B.
void packEighths(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
