// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes a tensor map: where a matrix is and how large the boxes are that TMA copies. The driver
// encodes it in 128 bytes, which a kernel takes as a parameter.
#pragma once

#include "kernels/base/error.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/tile/format.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

// A row-major matrix of 16-bit elements in device memory, without gaps between its rows, the length
// of which is a multiple of 16 bytes.
struct MappedMatrix {
  cu::DevicePtr address = 0;
  int rows = 0;
  int columns = 0;
  Format format = Format::Bf16;
};

// Elements outside the matrix arrive as zeros. Trouble::Unsupported: the driver is too old for
// tensor maps, or rejects this one.
Result<cu::TensorMap> tensorMapOf(const Driver& driver, const MappedMatrix& matrix, const Box& box);

}  // namespace tileloom::gpu
