// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of tiles or rungs that teach something when they stand side by side. Each opens at the
// access that differs most (telling_difference.h).
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/session/view_state.h"

namespace tileloom {

struct TeachingPair {
  QString group;  // "Rung by rung"
  QString name;   // "5 beside 6: vectorised access"
  QString look;   // what to look at, one sentence
  Pinned baseline, now;
  const char* page = "banks";  // that shows it best
  int delay = 0;               // cycles that memory takes longer there
  int size = 0;                // of M = N = K, which its sentence speaks of; 0: the present one
  int varies = 0;              // cycles by which memory varies on that page
  bool between = false;        // that page shows what is between two tiles of C
};

// The group of those that tell why warps get roles.
QString rolesGroup();

// All of them; every tile is legal.
std::vector<TeachingPair> teachingPairs();

// The one of these two, of several the last; std::nullopt: the person has put them together.
std::optional<TeachingPair> teachingPair(const Pinned& baseline, const Pinned& now);

}  // namespace tileloom
