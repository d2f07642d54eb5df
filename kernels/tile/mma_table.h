// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tensor core instructions. A new instruction is one enumerator and one row, both at
// the end.
#pragma once

#include <array>

#include "kernels/tile/mma.h"

namespace tileloom {

enum class Mma : std::uint8_t { M16n8k16, M64nNk16, M16n8k8Tf32, M16n8k32, M16n8k64 };

inline constexpr auto kMmaTable = std::to_array<MmaRow>({
    {.mma = Mma::M16n8k16,
     .ptx = "mma.sync",
     .shape = "m16n8k16",
     .sass = "HMMA.16816",
     .warps = 1,
     .rows = 16,
     .columns = 8,
     .mostColumns = 8,
     .depth = 16,
     .elementBits = 16,
     .inShared = false},
    {.mma = Mma::M64nNk16,
     .ptx = "wgmma",
     .shape = "m64nNk16",
     .sass = "HGMMA.64x",
     .warps = 4,
     .rows = 64,
     .columns = 8,
     .mostColumns = 256,
     .depth = 16,
     .elementBits = 16,
     .inShared = true},
    {.mma = Mma::M16n8k8Tf32,
     .ptx = "mma.sync",
     .shape = "m16n8k8",
     .sass = "HMMA.1688.F32.TF32",
     .warps = 1,
     .rows = 16,
     .columns = 8,
     .mostColumns = 8,
     .depth = 8,
     .elementBits = 32,
     .inShared = false},
    {.mma = Mma::M16n8k32,
     .ptx = "mma.sync",
     .shape = "m16n8k32",
     .sass = "QMMA.16832",
     .warps = 1,
     .rows = 16,
     .columns = 8,
     .mostColumns = 8,
     .depth = 32,
     .elementBits = 8,
     .inShared = false},
    {.mma = Mma::M16n8k64,
     .ptx = "mma.sync",
     .shape = "m16n8k64",
     .sass = "OMMA.SF.16864",
     .warps = 1,
     .rows = 16,
     .columns = 8,
     .mostColumns = 8,
     .depth = 64,
     .elementBits = 4,
     .inShared = false,
     .ownTarget = true},
});

namespace mma_table {
constexpr bool rowsStandAtTheirPlaces() {
  for (std::size_t i = 0; i < kMmaTable.size(); ++i) {
    if (static_cast<std::size_t>(kMmaTable[i].mma) != i) return false;
  }
  return true;
}
static_assert(rowsStandAtTheirPlaces(), "the table and the enumeration have different orders");
static_assert(kUsualWarpMma == Mma::M16n8k16 && kUsualGroupMma == Mma::M64nNk16);
}  // namespace mma_table

}  // namespace tileloom
