// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of tiles or rungs that teach something when they stand side by side.
#pragma once

#include <QString>
#include <vector>

#include "app/session/view_state.h"

namespace tileloom {

struct TeachingPair {
  QString group;  // "Rung by rung"
  QString name;   // "5 beside 6: vectorised access"
  QString look;   // what to look at, one sentence
  Pinned baseline, now;
};

// All of them; every tile is legal.
std::vector<TeachingPair> teachingPairs();

}  // namespace tileloom
