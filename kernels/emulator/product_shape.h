// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of the wgmma that the emulator executes, where it must be known when compiled: that of
// its row (products.cpp checks it). Without the table, a new row recompiles few sources.
#pragma once

#include <cstdint>

namespace tileloom::emulator {

inline constexpr std::uint32_t kProductRows = 64, kProductDepth = 16;

}  // namespace tileloom::emulator
