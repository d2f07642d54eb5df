// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/block_waves.h"

#include <algorithm>

namespace tileloom {

std::vector<analysis::Region> waveRegions(const Extent& grid, bool rowsAlongX, std::int64_t atOnce,
                                          std::int64_t wave) {
  const std::int64_t across = grid.x, blocks = across * grid.y;
  std::int64_t at = wave * atOnce;
  const std::int64_t end = std::min(blocks, at + atOnce);
  std::vector<analysis::Region> parts;
  const auto add = [&](std::int64_t x, std::int64_t y, std::int64_t w, std::int64_t h) {
    if (w <= 0 || h <= 0) return;
    parts.push_back(rowsAlongX ? analysis::Region{x, y, w, h} : analysis::Region{y, x, h, w});
  };
  if (at % across != 0) {  // the rest of a line that another wave has begun
    const std::int64_t stop = std::min(end, (at / across + 1) * across);
    add(at % across, at / across, stop - at, 1);
    at = stop;
  }
  const std::int64_t lines = (end - at) / across;
  if (lines > 0) {
    add(0, at / across, across, lines);
    at += lines * across;
  }
  if (at < end) add(0, at / across, end - at, 1);
  return parts;
}

std::int64_t waveOf(const Extent& grid, const Extent& block, std::int64_t atOnce) {
  return atOnce > 0 ? (std::int64_t{block.y} * grid.x + block.x) / atOnce : 0;
}

double paddingShare(const Problem& padded, const Problem& asked) {
  const auto volume = [](const Problem& p) {
    return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  };
  return 1.0 - volume(asked) / volume(padded);
}

}  // namespace tileloom
