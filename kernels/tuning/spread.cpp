// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/spread.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

#include "kernels/tile/parameters.h"
#include "kernels/tuning/space.h"

namespace tileloom::tuning {
namespace {

int logOf(int value) {
  return std::bit_width(static_cast<unsigned>(std::max(1, value)));
}

int distance(const TileShape& a, const TileShape& b) {
  int sum = 0;
  for (const Parameter parameter : kAllParameters)
    sum += std::abs(logOf(a[parameter]) - logOf(b[parameter]));
  return sum;
}

}  // namespace

std::vector<TileShape> powerOfTwoTiles(const Stage& stage, const Architecture& arch) {
  return spaceOf(stage, {}, arch)->legal;  // nothing is listed, so nothing can be wrong with it
}

std::vector<TileShape> spreadTiles(const Stage& stage, std::size_t count,
                                   const Architecture& arch) {
  std::vector<TileShape> left = powerOfTwoTiles(stage, arch);
  // Among equally far tiles the choice must not follow the order of the tile parameters.
  std::shuffle(left.begin(), left.end(), std::minstd_rand(7));
  std::vector<TileShape> picked;
  std::vector<int> nearest(left.size(), std::numeric_limits<int>::max());
  const auto pick = [&](std::size_t at) {
    picked.push_back(left[at]);
    for (std::size_t i = 0; i < left.size(); ++i)
      nearest[i] = std::min(nearest[i], distance(left[i], picked.back()));
  };
  const TileShape standard = stage.standardTile();
  const auto differing = [&](const TileShape& tile) {
    return std::ranges::count_if(kAllParameters, [&](Parameter parameter) {
      return tile[parameter] != standard[parameter];
    });
  };
  for (const long want : {0, 1, 2}) {
    for (std::size_t i = 0; i < left.size() && picked.size() < count; ++i) {
      if (differing(left[i]) == want) pick(i);
    }
  }
  while (picked.size() < std::min(count, left.size())) {
    const auto farthest = std::ranges::max_element(nearest);
    if (picked.empty()) {
      pick(0);
      continue;
    }
    pick(static_cast<std::size_t>(farthest - nearest.begin()));
  }
  return picked;
}

}  // namespace tileloom::tuning
