// SPDX-License-Identifier: GPL-3.0-or-later
// Examples: pairs of tiles or rungs that teach something side by side. Each opens at the access
// that differs most (telling_difference.h).
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/session/view_state.h"
#include "kernels/tile/subject.h"

namespace tileloom {

struct TeachingPair {
  QString group;  // "Rung by rung"
  QString name;   // "5 beside 6: vectorised access"
  QString look;   // what to look at, one sentence
  Subject baseline, now;
  const char* page = "banks";  // the best page for it
  int delay = 0;               // added cycles of memory latency there
  int size = 0;                // of M = N = K, which its sentence names; 0: the present one
  int varies = 0;              // cycles by which the latency of memory varies on that page
  bool between = false;        // that page shows the change between two tiles of C
};

// The group of those that explain warp specialisation.
QString rolesGroup();

// All of them; every tile is legal.
std::vector<TeachingPair> teachingPairs();

// The pair of these two, of several the last; std::nullopt: the user has combined them.
std::optional<TeachingPair> teachingPair(const Subject& baseline, const Subject& now);

}  // namespace tileloom
