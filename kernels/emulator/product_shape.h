// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of the wgmma that the emulator executes, where it must be known when compiled.
#pragma once

#include "kernels/tile/mma_table.h"

namespace tileloom::emulator {

inline constexpr const MmaRow& kProduct = kMmaTable[static_cast<std::size_t>(kUsualGroupMma)];
inline constexpr std::uint32_t kProductRows = kProduct.rows, kProductDepth = kProduct.depth;

}  // namespace tileloom::emulator
