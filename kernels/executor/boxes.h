// SPDX-License-Identifier: GPL-3.0-or-later
// TMA: boxes of a tensor between global and shared memory. A copy is complete at its issue, and the
// mbarrier of a load gets its bytes at once.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/executor/launch.h"
#include "kernels/executor/operation.h"

namespace tileloom::executor {

// A row of a box: which of its elements are inside the tensor, and the address of the first one of
// these. Equal: none is.
struct BoxRow {
  std::uint64_t address = 0;
  std::uint32_t from = 0, to = 0;
};
// Row `number` of the box whose first element has these coordinates, 0 to boxRows() - 1.
BoxRow boxRow(const TensorMap& map,
              const std::array<std::int32_t, TensorMap::kMostDimensions>& first,
              std::uint32_t number);

// UTMALDG. Uniform registers from `base` on: the address in shared memory, the mbarrier, the
// coordinates; `globalBase` and the next one: the address of the tensor map; `table` dimensions.
// `wide`: multicast, whose mask is in the upper half of `uniformBase`.
void loadBox(Warp& warp, const Operation& o);
// UTMASTG. The same without the mbarrier.
void storeBox(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
