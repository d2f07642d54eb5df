// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/round_values.h"

#include <algorithm>

namespace tileloom {

std::vector<int> roundValues(const ParameterSpec& spec, bool threes) {
  std::vector<int> values;
  const auto offer = [&](long long value) {
    if (value >= spec.min && value <= spec.max) values.push_back(static_cast<int>(value));
  };
  for (long long power = 1; power <= spec.max; power *= 2) {
    offer(power);
    if (threes) offer(3 * power);
  }
  std::ranges::sort(values);
  return values;
}

}  // namespace tileloom
