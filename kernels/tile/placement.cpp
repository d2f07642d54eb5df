// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/placement.h"

#include <algorithm>

#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"

namespace tileloom {
namespace {

int roundUp(int value, int unit) {
  return unit > 0 ? (value + unit - 1) / unit * unit : value;
}

}  // namespace

Problem paddedProblem(const Stage& stage, const TileShape& tile, const Problem& problem) {
  if (!stage.isRung()) return problem;  // it is launched as its launch file says
  // A tensor map steps from row to row by multiples of 16 bytes, and needs no more padding.
  if (stage.features().tma) return {problem.m, roundUp(problem.n, 8), roundUp(problem.k, 8)};
  if (!stage.features().sharedTiles) return problem;
  const Derived d = derive(stage, tile);
  return {roundUp(problem.m, d.blockM), roundUp(problem.n, d.blockN), roundUp(problem.k, d.stepK)};
}

Launch launchOf(const Stage& stage, const TileShape& tile, const Problem& padded) {
  const Derived d = derive(stage, tile);
  // A cluster covers whole rows of block tiles, the last ones perhaps outside C.
  const int below = d.blockM > 0 ? roundUp(padded.m, d.blockM) / d.blockM : padded.m;
  const int rows = roundUp(below, clusterOf(stage, tile));
  const int columns = roundUp(padded.n, d.blockN) / d.blockN;
  Launch launch;
  launch.grid = stage.rowsAlongX ? Extent{rows, columns} : Extent{columns, rows};
  launch.block = stage.squareBlock ? Extent{d.blockM, d.blockN} : Extent{d.threads, 1};
  return launch;
}

int clusterOf(const Stage& stage, const TileShape& tile) {
  return stage.has(Parameter::CLUSTER) ? std::max(1, tile[Parameter::CLUSTER]) : 1;
}

BlockPlace blocksOver(const Stage& stage, const Extent& grid) {
  return stage.rowsAlongX ? BlockPlace{grid.x, grid.y} : BlockPlace{grid.y, grid.x};
}

// A rasterised stage numbers its blocks down GROUP rows, then on to the next column; the last group
// may have fewer rows. The rows are those of clusters, whose blocks are one below the other.
BlockPlace placeOf(const Stage& stage, const TileShape& tile, const Extent& grid,
                   const Extent& block) {
  if (stage.rowsAlongX) return {block.x, block.y};
  const int group = tile[Parameter::GROUP];
  if (!stage.has(Parameter::GROUP) || group < 1) return {block.y, block.x};
  const int cluster = clusterOf(stage, tile);
  const std::int64_t number = std::int64_t{block.y} * grid.x + block.x;
  const std::int64_t its = number / cluster, inGroup = std::int64_t{group} * grid.x;
  const int first = static_cast<int>(its / inGroup) * group;
  const int rows = std::min(group, grid.y / cluster - first);
  const auto at = static_cast<int>(its % inGroup);
  return {(first + at % rows) * cluster + static_cast<int>(number % cluster), at / rows};
}

Extent blockAt(const Stage& stage, const TileShape& tile, const Extent& grid,
               const BlockPlace& place) {
  if (stage.rowsAlongX) return {place.row, place.column};
  const int group = tile[Parameter::GROUP];
  if (!stage.has(Parameter::GROUP) || group < 1) return {place.column, place.row};
  const int cluster = clusterOf(stage, tile), row = place.row / cluster;
  const int first = row / group * group;
  const int rows = std::min(group, grid.y / cluster - first);
  const std::int64_t its =
      std::int64_t{first} * grid.x + std::int64_t{place.column} * rows + (row - first);
  const std::int64_t number = its * cluster + place.row % cluster;
  return {static_cast<int>(number % grid.x), static_cast<int>(number / grid.x)};
}

}  // namespace tileloom
