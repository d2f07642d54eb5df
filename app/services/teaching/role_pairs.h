// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs that explain warp specialisation, in the order of the explanation.
#pragma once

#include <vector>

#include "app/services/teaching/teaching_pair.h"

namespace tileloom {

// Their group.
QString rolesGroup();

std::vector<TeachingPair> rolePairs();

}  // namespace tileloom
