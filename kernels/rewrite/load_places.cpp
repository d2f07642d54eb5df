// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/load_places.h"

#include <algorithm>

namespace tileloom::rewrite {
namespace {

std::vector<int> roomFor(int begin, int perStep, const Spacing& spacing, const CopyWindow& copies) {
  std::vector<int> room;
  for (int at = spacing.firstLoad; at <= perStep - spacing.beforeUse; ++at)
    if (!copies.has(begin + at)) room.push_back(begin + at);
  return room;
}

}  // namespace

std::vector<int> placesOfLoads(int begin, int perStep, std::size_t count, const Spacing& spacing,
                               const CopyWindow& copies) {
  const int gaps = std::max(1, static_cast<int>(count) - 1);
  const std::vector<int> room = roomFor(begin, perStep, spacing, copies);
  const bool apart = !copies.empty() && room.size() >= count;
  const int length =
      apart ? static_cast<int>(room.size()) - 1 : perStep - spacing.firstLoad - spacing.beforeUse;
  const int distance = std::clamp(length / gaps, 1, spacing.load);
  std::vector<int> places;
  for (int n = 0; n < static_cast<int>(count); ++n) {
    const int at = n * distance;
    // The registers are free no earlier, and needed no later, than at this k.
    places.push_back(apart ? room[static_cast<std::size_t>(at)]
                           : begin + std::min(spacing.firstLoad + at, perStep - 1));
  }
  return places;
}

CopyWindow bestWindow(int at, int length, int perStep, int total, const Spacing& spacing) {
  CopyWindow best{at, at + length};
  std::size_t most = 0;
  for (int from = at; from < at + perStep && from + length < total; ++from) {
    const CopyWindow window{from, from + length};
    auto least = static_cast<std::size_t>(total);
    for (int begin = from / perStep * perStep; begin <= window.to; begin += perStep)
      least = std::min(least, roomFor(begin, perStep, spacing, window).size());
    if (least > most) {
      most = least;
      best = window;
    }
  }
  return best;
}

}  // namespace tileloom::rewrite
