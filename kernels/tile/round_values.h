// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a knob that are worth trying where nobody names one.
#pragma once

#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

// The powers of two within the knob's range and, with `threes`, three times each of them;
// ascending. Every tile of the ladder's literature is made of these.
std::vector<int> roundValues(const KnobSpec& spec, bool threes);

}  // namespace tileloom
