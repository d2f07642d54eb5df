// SPDX-License-Identifier: GPL-3.0-or-later
// Executes the instructions of tensor cores that a warp has to itself.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// HMMA: `kind` is the Factor, `table` the depth, `wide` that sums are FP32, `accumulation` how they
// are added.
void multiplyMatrices(Warp& warp, const Operation& o);
// IMMA: `table` the depth, `isSigned` and `secondSigned` of the elements of A and B.
void multiplyBytes(Warp& warp, const Operation& o);
// DMMA, 8 x 8 x 4: each sum is a chain of fused additions in the order of k.
void multiplyDoubles(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
