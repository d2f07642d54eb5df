// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/mma.h"

#include <fmt/format.h>

namespace tileloom {

std::string sizeText(const MmaRow& row, std::uint32_t columns) {
  return fmt::format("{} x {} x {}", row.rows, columns == 0 ? row.columns : columns, row.depth);
}

}  // namespace tileloom
