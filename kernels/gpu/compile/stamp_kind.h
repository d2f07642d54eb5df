// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tileloom::gpu {

// How a kernel timestamps its operations: one record each time, or, for waits, sums.
enum class Stamping : std::uint8_t { Records, Sums };

}  // namespace tileloom::gpu
