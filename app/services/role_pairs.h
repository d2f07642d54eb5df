// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs that tell why warps get roles, in the order in which they are told.
#pragma once

#include <vector>

#include "app/services/teaching_pairs.h"

namespace tileloom {

std::vector<TeachingPair> rolePairs();

}  // namespace tileloom
