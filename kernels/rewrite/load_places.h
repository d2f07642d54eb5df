// SPDX-License-Identifier: GPL-3.0-or-later
// Places the loads of fragments between multiply-adds. Places are numbers of multiply-adds of the
// iteration: an instruction at place p is immediately before the p-th one, counted from 0.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/rewrite/spacing.h"

namespace tileloom::rewrite {

// Places reserved for asynchronous copies: no load may be after the first copy, at `from`, and
// before the last one, at `to` (copy_run.h). An empty window reserves none.
struct CopyWindow {
  int from = 0;
  int to = 0;
  bool empty() const { return to <= from; }
  bool has(int place) const { return place > from && place <= to; }
};

// The places of `count` loads at the k of `perStep` multiply-adds that begins at `begin`, for the
// next k: evenly spaced, and outside of the window if it leaves room for them.
std::vector<int> placesOfLoads(int begin, int perStep, std::size_t count, const Spacing& spacing,
                               const CopyWindow& copies);

// The place at which copies of this length, which may begin at `at` or later, leave most room for
// the loads of each k. They begin less than one k later, and end within `total` multiply-adds if
// possible.
CopyWindow bestWindow(int at, int length, int perStep, int total, const Spacing& spacing);

}  // namespace tileloom::rewrite
