// SPDX-License-Identifier: GPL-3.0-or-later
// Which version of a stage's source a run or a listing belongs to.
#pragma once

#include <string>

#include "kernels/tile/stage.h"

namespace tileloom {

// 16 hex digits (FNV-1a, 64 bits) over the stage's source and the portability header. Identifies a
// version of the source; no protection against forgery. Device files that the stage does not
// include count not; what the assembler is told does.
std::string sourceHash(const Stage& stage);

}  // namespace tileloom
