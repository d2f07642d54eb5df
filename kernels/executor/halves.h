// SPDX-License-Identifier: GPL-3.0-or-later
// Executes instructions on two numbers of 16 bits in a register. Operation::kind is the format.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// Operation::kind of them.
enum : std::uint8_t { kFp16, kBf16 };

void fusedPairs(Warp& warp, const Operation& o);     // HFMA2
void addPairs(Warp& warp, const Operation& o);       // HADD2
void addWide(Warp& warp, const Operation& o);        // HADD2.F32: of one half each, to FP32
void multiplyPairs(Warp& warp, const Operation& o);  // HMUL2
void minMaxPairs(Warp& warp, const Operation& o);    // HMNMX2
void comparePairs(Warp& warp, const Operation& o);   // HSETP2
void maskPairs(Warp& warp, const Operation& o);      // HSET2: `table` is what true becomes
void packPairs(Warp& warp, const Operation& o);      // F2FP: A becomes the upper half

}  // namespace tileloom::executor
