// SPDX-License-Identifier: GPL-3.0-or-later
// Executes what moves matrices of 8 x 8 numbers of 16 bits: LDSM, STSM, MOVM. `table` is the number
// of matrices, `transposed` exchanges their rows and columns.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

void loadMatrices(Warp& warp, const Operation& o);
void storeMatrices(Warp& warp, const Operation& o);
void transposeMatrix(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
