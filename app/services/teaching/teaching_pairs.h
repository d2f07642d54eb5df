// SPDX-License-Identifier: GPL-3.0-or-later
// Examples: pairs of tiles or rungs that teach something side by side. Each opens at the access
// that differs most (telling_difference.h).
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/services/teaching/teaching_pair.h"
#include "app/session/view_state.h"
#include "kernels/tile/subject.h"

namespace tileloom {

// All of them; every tile is legal.
std::vector<TeachingPair> teachingPairs();

// The pair of these two, of several the last; std::nullopt: the user has combined them.
std::optional<TeachingPair> teachingPair(const Subject& baseline, const Subject& now);

}  // namespace tileloom
