// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/mma_table.h"

#include <fmt/format.h>

#include "kernels/tile/architecture.h"

namespace tileloom {

constinit const MmaRow* const kMmaRows = kMmaTable.data();

const MmaRow& warpMmaOf(int elementBits) {
  for (const MmaRow& row : kMmaTable) {
    if (!row.inShared && static_cast<int>(row.elementBits) == elementBits) return row;
  }
  return rowOf(kUsualWarpMma);
}

double tensorPerCycle(const Architecture& arch, const MmaRow& row) {
  constexpr double kBits = 16;
  if (row.elementBits == 8 && arch.eightBitMma == EightBitMma::Converted)
    return arch.tensorPerCycle;
  return arch.tensorPerCycle * kBits / row.elementBits;
}

std::string sizeText(const MmaRow& row, std::uint32_t columns) {
  return fmt::format("{} x {} x {}", row.rows, columns == 0 ? row.columns : columns, row.depth);
}

}  // namespace tileloom
