// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/dodge.h"

#include <algorithm>

namespace tileloom::charts {

// With the widths of the marks before it subtracted from a mark's place, "no overlap" becomes
// "non-decreasing": isotonic least squares, solved by pooling adjacent violators.
std::vector<double> dodged(std::span<const Dodging> marks, double low, double high) {
  struct Pool {
    double sum = 0;
    int count = 0;
    double mean() const { return sum / count; }
  };
  std::vector<Pool> pools;
  double before = 0;  // widths
  for (const Dodging& mark : marks) {
    pools.push_back({mark.centre - mark.width / 2 - before, 1});
    before += mark.width;
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> lefts;
  lefts.reserve(marks.size());
  const double all = before, most = high - all;
  if (most < low) {
    const double step =
        marks.size() > 1 ? (high - marks.back().width - low) / static_cast<double>(marks.size() - 1)
                         : 0;
    for (std::size_t i = 0; i < marks.size(); ++i)
      lefts.push_back(low + step * static_cast<double>(i));
    return lefts;
  }
  before = 0;
  auto mark = marks.begin();
  for (const Pool& pool : pools) {
    for (int i = 0; i < pool.count; ++i, ++mark) {
      lefts.push_back(std::clamp(pool.mean(), low, most) + before);
      before += mark->width;
    }
  }
  return lefts;
}

}  // namespace tileloom::charts
