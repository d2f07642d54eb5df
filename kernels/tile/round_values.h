// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a tile parameter that are worth trying where none is named.
#pragma once

#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

// The powers of two within the parameter's range and, with `threes`, three times each of them;
// ascending. Every tile of the ladder's literature has only such values.
std::vector<int> roundValues(const ParameterSpec& spec, bool threes);

}  // namespace tileloom
