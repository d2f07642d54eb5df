// SPDX-License-Identifier: GPL-3.0-or-later
// The proof by provenance that a kernel computes a matrix product, whatever its tiles.
#pragma once

#include <string>

#include "kernels/emulator/run.h"

namespace tileloom::test {

// Traces every block of the problem and checks that each product A[i][k]·B[k][j] is added exactly
// once into the accumulator that ends in C[i][j], and that C[i][j] is scaled and stored exactly
// once (on the tensor ladder, stored without being scaled). Zeros from outside of a matrix are not
// products. Returns a sentence on the first violation, or an empty text.
std::string coverageFlaw(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                         const Problem& problem);

}  // namespace tileloom::test
