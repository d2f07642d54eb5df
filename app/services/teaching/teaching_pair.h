// SPDX-License-Identifier: GPL-3.0-or-later
// An example: a pair of tiles or rungs that teaches something side by side.
#pragma once

#include <QString>

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

}  // namespace tileloom
