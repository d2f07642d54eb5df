// SPDX-License-Identifier: GPL-3.0-or-later
// How the copy engine is told where a matrix lies and how large the boxes are that it moves. The
// driver writes that down in 128 bytes, which a kernel takes as a parameter.
#pragma once

#include "kernels/base/error.h"
#include "kernels/gpu/driver.h"
#include "kernels/tile/arithmetic.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

// A row-major matrix of 16-bit elements in device memory, without gaps between its rows, each of
// which is a multiple of 16 bytes long.
struct MappedMatrix {
  cu::DevicePtr address = 0;
  int rows = 0;
  int columns = 0;
  Arithmetic arithmetic = Arithmetic::Bf16;
};

// What lies outside the matrix arrives as zeros. Trouble::Unsupported: the driver is too old to
// know such maps, or refuses this one.
Result<cu::TensorMap> tensorMapOf(const Driver& driver, const MappedMatrix& matrix, const Box& box);

}  // namespace tileloom::gpu
