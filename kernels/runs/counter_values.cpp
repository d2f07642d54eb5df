// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/counter_values.h"

#include <algorithm>

namespace tileloom::runs {

std::optional<double> Counters::operator[](Counter counter) const {
  const auto at =
      std::ranges::lower_bound(values_, counter, {}, &std::pair<Counter, double>::first);
  if (at == values_.end() || at->first != counter) return std::nullopt;
  return at->second;
}

void Counters::set(Counter counter, double value) {
  const auto at =
      std::ranges::lower_bound(values_, counter, {}, &std::pair<Counter, double>::first);
  if (at != values_.end() && at->first == counter) {
    at->second = value;
  } else {
    values_.emplace(at, counter, value);
  }
}

}  // namespace tileloom::runs
