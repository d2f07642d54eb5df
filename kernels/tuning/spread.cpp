// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/spread.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

namespace tileloom::tuning {
namespace {

int logOf(int value) {
  return std::bit_width(static_cast<unsigned>(std::max(1, value)));
}

int distance(const TileShape& a, const TileShape& b) {
  int sum = 0;
  for (const Knob knob : kAllKnobs) sum += std::abs(logOf(a[knob]) - logOf(b[knob]));
  return sum;
}

// Knobs that say how a tile is kept and in which order tiles are taken, not what it is: whatever is
// legal with their least values may become illegal with larger ones, never the other way round.
bool isLate(Knob knob) {
  return knob == Knob::PAD || knob == Knob::STAGES || knob == Knob::GROUP;
}

// Powers of two; of a late knob the least value, the usual one and twice that.
std::vector<int> valuesOf(const KnobSpec& spec) {
  std::vector<int> values;
  if (isLate(spec.knob)) {
    for (const int value : {spec.min, spec.standard, 2 * spec.standard}) {
      if (value <= spec.max && (values.empty() || value > values.back())) values.push_back(value);
    }
    return values;
  }
  for (int value = 1; value <= spec.max; value *= 2) {
    if (value >= spec.min) values.push_back(value);
  }
  return values;
}

void collect(const Stage& stage, const Architecture& arch, std::size_t knob, TileShape& tile,
             std::vector<TileShape>& out) {
  if (knob == stage.knobs.size()) {
    if (isLegal(stage, tile, arch)) out.push_back(tile);
    return;
  }
  const KnobSpec& spec = stage.knobs[knob];
  if (isLate(spec.knob)) {
    TileShape least = tile;
    for (std::size_t i = knob; i < stage.knobs.size(); ++i)
      least[stage.knobs[i].knob] = stage.knobs[i].min;
    if (!isLegal(stage, least, arch)) return;
  }
  for (const int value : valuesOf(spec)) {
    tile[spec.knob] = value;
    collect(stage, arch, knob + 1, tile, out);
  }
}

}  // namespace

std::vector<TileShape> powerOfTwoTiles(const Stage& stage, const Architecture& arch) {
  std::vector<TileShape> tiles;
  TileShape tile;
  collect(stage, arch, 0, tile, tiles);
  return tiles;
}

std::vector<TileShape> spreadTiles(const Stage& stage, std::size_t count,
                                   const Architecture& arch) {
  std::vector<TileShape> left = powerOfTwoTiles(stage, arch);
  // Among equally far tiles the choice must not follow the order of the knobs.
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
    return std::ranges::count_if(kAllKnobs,
                                 [&](Knob knob) { return tile[knob] != standard[knob]; });
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
