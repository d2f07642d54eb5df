// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of tiles that a cluster of a stage with SplitK::Rounds computes, as its kernel assigns
// them: for counts and pictures.
#pragma once

#include "kernels/device/pieces.cuh"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom {

// `cluster` counts from 0; `padded` as in launchOf(), and `sms` as in residentLaunch().
inline pieces piecesOf(const Stage& stage, const TileShape& tile, const Problem& padded,
                       int cluster, int sms) {
  const auto u = [](int v) { return static_cast<unsigned>(v); };
  const int blocks = clusterOf(stage, tile);  // per cluster
  const Extent grid = launchOf(stage, tile, padded).grid;
  const unsigned round = u(wholeUnit(stage, tile).k);
  return {u(grid.x * grid.y / blocks), (u(padded.k) + round - 1) / round, u(cluster),
          u(residentLaunch(stage, tile, padded, sms).grid.x / blocks), u(tile[Parameter::SPLIT])};
}

}  // namespace tileloom
