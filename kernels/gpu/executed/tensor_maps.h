// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor maps for launches that are executed on the host: what driver/tensor_map.h encodes for a
// GPU.
#pragma once

#include <cstdint>

#include "kernels/executor/launch.h"
#include "kernels/tile/format.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

// Of a row-major matrix without gaps between its rows. `at` is not set.
executor::TensorMap hostTensorMap(std::uint64_t address, int rows, int columns, Format format,
                                  const Box& box);

}  // namespace tileloom::gpu
