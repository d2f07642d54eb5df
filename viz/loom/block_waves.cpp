// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/block_waves.h"

#include <algorithm>

namespace tileloom {

std::vector<analysis::Region> waveRegions(const Extent& grid, bool rowsAlongX, std::int64_t group,
                                          std::int64_t atOnce, std::int64_t wave) {
  const std::int64_t across = grid.x, blocks = across * grid.y;
  std::int64_t at = wave * atOnce;
  const std::int64_t end = std::min(blocks, at + atOnce);
  std::vector<analysis::Region> parts;
  const auto add = [&](std::int64_t x, std::int64_t y, std::int64_t w, std::int64_t h) {
    if (w <= 0 || h <= 0) return;
    parts.push_back(rowsAlongX ? analysis::Region{x, y, w, h} : analysis::Region{y, x, h, w});
  };
  while (at < end) {
    // Whole groups of rows, from the beginning of one.
    const std::int64_t inGroup = group * across;
    if (at % inGroup == 0) {
      const std::int64_t rows = end == blocks ? grid.y - at / across : (end - at) / inGroup * group;
      add(0, at / across, across, rows);
      at += rows * across;
      if (at >= end) break;
    }
    // The rest is in one group, column by column: the rest of one, whole ones, part of one.
    const std::int64_t top = at / inGroup * group, rows = std::min(group, grid.y - top);
    const std::int64_t begin = at - top * across;
    const std::int64_t stop = std::min(end, (top + rows) * across) - top * across;
    std::int64_t here = begin;
    if (here % rows != 0) {
      const std::int64_t to = std::min(stop, (here / rows + 1) * rows);
      add(here / rows, top + here % rows, 1, to - here);
      here = to;
    }
    const std::int64_t columns = (stop - here) / rows;
    add(here / rows, top, columns, rows);
    here += columns * rows;
    add(here / rows, top, 1, stop - here);
    at = top * across + stop;
  }
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
