// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes a tensor map: where a matrix is and how large the boxes are that TMA copies. The driver
// encodes it in 128 bytes, which a kernel takes as a parameter.
#pragma once

#include <array>
#include <cstdint>

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

// Any tensor of 1 to 5 dimensions, the innermost one first. Sides of the tensor and of the box are
// in elements, strides in bytes; the first stride means nothing.
struct MappedTensor {
  cu::DevicePtr address = 0;
  std::uint32_t elementBytes = 2;  // 1, 2, 4 or 8
  std::uint32_t dimensions = 2;
  std::array<std::uint64_t, 5> extents{}, strides{};
  std::array<std::uint32_t, 5> box{};
  std::uint32_t swizzle = 0;  // 0, 32, 64 or 128 bytes
};

// Elements outside the matrix arrive as zeros. Trouble::Unsupported: the driver is too old for
// tensor maps, or rejects this one.
Result<cu::TensorMap> tensorMapOf(const Driver& driver, const MappedMatrix& matrix, const Box& box);
Result<cu::TensorMap> tensorMapOf(const Driver& driver, const MappedTensor& tensor);

}  // namespace tileloom::gpu
