// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/emulator/provenance.h"

namespace tileloom::emulator {

// The value in a register, and its origin.
struct RegisterSlot {
  float value = 0;
  Provenance provenance;
};

}  // namespace tileloom::emulator
