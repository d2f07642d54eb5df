// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma. Each of the four warps of a warpgroup multiplies 16 of 64 rows of A by B. A warp's part is
// complete at its issue; a warp that waits for a group waits for the parts of all four warps.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// HGMMA, QGMMA: `table` depth, `secondTable` columns, `kind` and `scale` the factors of A and B,
// `wide` that sums are FP32, `base` the uniform registers of the descriptors, `extended` that A is
// in registers (`a`), `commits` that it ends a group, `transposed` that the rows of A are along m,
// `right` that those of B are along n, `flushes` that A is negated, `c` the sums, `p` whether they
// count.
void multiplyGroup(Warp& warp, const Operation& o);
// IGMMA: the same with bytes; `isSigned` and `secondSigned` of the elements of A and B.
void multiplyGroupBytes(Warp& warp, const Operation& o);
// WARPGROUP.DEPBAR: `table` groups may still be in flight.
void waitForGroups(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
