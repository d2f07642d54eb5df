// SPDX-License-Identifier: GPL-3.0-or-later
// What ended a wait of a warp.
#pragma once

#include <cstdint>

#include "kernels/machine/time.h"

namespace tileloom::machine {

struct Cause {
  enum class Kind : std::uint8_t { Nothing, Warp, Transfer, TensorCore } kind = Kind::Nothing;
  std::uint32_t id = 0;  // of a warp or of a transfer
  Ticks at = 0;
};

}  // namespace tileloom::machine
