// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs that explain warp specialisation, in the order of the explanation.
#pragma once

#include <vector>

#include "app/services/teaching_pairs.h"

namespace tileloom {

std::vector<TeachingPair> rolePairs();

}  // namespace tileloom
