// SPDX-License-Identifier: GPL-3.0-or-later
// Between which multiply-adds the loads of fragments stand. Places are numbers of multiply-adds of
// the turn: an instruction at place p stands right before the p-th one, counted from 0.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/rewrite/schedule.h"

namespace tileloom::rewrite {

// Places that asynchronous copies take for themselves: no load may stand behind the first copy, at
// `from`, and before the last one, at `to` (copy_run.h). An empty one takes none.
struct CopyWindow {
  int from = 0;
  int to = 0;
  bool empty() const { return to <= from; }
  bool has(int place) const { return place > from && place <= to; }
};

// Where `count` loads stand in the dot index of `perStep` multiply-adds that begins at `begin`, for
// the dot index after it: evenly, and outside of the window if it leaves room for them.
std::vector<int> placesOfLoads(int begin, int perStep, std::size_t count, const Spacing& spacing,
                               const CopyWindow& copies);

// Where copies of this length, which may begin at `at` or later, leave most room for the loads of
// each dot index. They begin less than a dot index later, and end within `total` multiply-adds if
// they can.
CopyWindow bestWindow(int at, int length, int perStep, int total, const Spacing& spacing);

}  // namespace tileloom::rewrite
