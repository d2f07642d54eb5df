// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/tensor_maps.h"

namespace tileloom::gpu {

executor::TensorMap hostTensorMap(std::uint64_t address, int rows, int columns, Format format,
                                  const Box& box) {
  const FormatRow& row = rowOf(format);
  executor::TensorMap map;
  map.address = address;
  map.dimensions = 2;
  map.elementBytes = static_cast<std::uint32_t>(row.bytesOf(1));
  map.extents = {static_cast<std::uint64_t>(columns), static_cast<std::uint64_t>(rows)};
  map.strides = {0, static_cast<std::uint64_t>(row.bytesOf(columns))};
  map.box = {static_cast<std::uint32_t>(box.columns), static_cast<std::uint32_t>(box.rows)};
  map.swizzle = static_cast<std::uint32_t>(box.swizzle);
  return map;
}

}  // namespace tileloom::gpu
