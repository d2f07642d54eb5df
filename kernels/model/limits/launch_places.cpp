// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/limits/launch_places.h"

#include <algorithm>

#include "kernels/device/pieces_of.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom::model {
namespace {

std::int64_t over(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit;
}

// Clusters of persistent blocks, which split the tiles of their last wave.
void placePieces(LaunchPlaces& p, const Stage& stage, const TileShape& tile,
                 const Problem& padded) {
  const pieces all = piecesOf(stage, tile, padded, 0, p.sms);
  const std::int64_t cluster = clusterOf(stage, tile);
  if (all.whole == all.tiles) {
    p.busiest = static_cast<double>(over(all.tiles, all.clusters));
    p.smsWithWork = std::min<std::int64_t>(all.tiles, all.clusters) * cluster;
    return;
  }
  unsigned longest = 0;
  std::int64_t working = 0;
  for (unsigned i = 0; i < all.clusters; ++i) {
    const unsigned rounds = all.begin(i + 1) - all.begin(i);
    longest = std::max(longest, rounds);
    if (rounds > 0 || i < all.whole) ++working;
  }
  p.busiest = static_cast<double>(all.whole) / all.clusters + double(longest) / all.rounds;
  p.smsWithWork = working * cluster;
}

}  // namespace

LaunchPlaces placesOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                      int blocksPerSm, int sms) {
  const Derived shape = derive(stage, tile);
  const Problem padded = paddedProblem(stage, tile, problem);
  const Extent grid = launchOf(stage, tile, padded).grid;
  const int blockM = std::max(1, shape.blockM), blockN = std::max(1, shape.blockN);
  const int stepK = std::max(1, shape.stepK);

  LaunchPlaces p;
  p.sms = std::max(1, sms);
  p.blocks = std::int64_t{grid.x} * grid.y;
  p.rows = problem.m;
  p.columns = problem.n;
  p.rowsOfTiles = static_cast<int>(over(problem.m, blockM)) * blockM;
  p.columnsOfTiles = static_cast<int>(over(problem.n, blockN)) * blockN;
  p.tiles = over(problem.m, blockM) * over(problem.n, blockN);
  p.average = static_cast<double>(p.blocks) / p.sms;
  p.useful = paddingOf(stage, tile, problem).usefulShare();
  if (!stage.features().sharedTiles) {  // threads beyond the edges of C do nothing
    p.rowsOfTiles = p.rows;
    p.columnsOfTiles = p.columns;
  }

  if (stage.split() == SplitK::Rounds) {
    placePieces(p, stage, tile, padded);
    return p;
  }
  if (stage.features().persistent) {
    const std::int64_t resident = residentLaunch(stage, tile, padded, p.sms).grid.x;
    p.busiest = static_cast<double>(over(p.blocks, resident));
    p.smsWithWork = resident;
    return p;
  }
  const std::int64_t slots = std::int64_t{p.sms} * std::max(1, blocksPerSm);
  const std::int64_t full = p.blocks / slots, rest = p.blocks % slots;
  WaveDivision cut;
  if (looksUpParts(stage, tile))
    cut = divisionOf(p.blocks, over(padded.k, stepK) * stepK, slots, tile[Parameter::SPLIT]);
  const std::int64_t last = cut.cut > 0 ? cut.shares : rest;
  p.busiest = static_cast<double>(full * std::max(1, blocksPerSm));
  if (last > 0)
    p.busiest += static_cast<double>(over(last, p.sms)) * static_cast<double>(rest) /
                 static_cast<double>(last);
  // Each part is a block, and two parts of one share may run on two SMs.
  p.smsWithWork =
      full > 0
          ? p.sms
          : std::min<std::int64_t>(
                p.sms, cut.cut > 0 ? partsOf(cut, over(padded.k, stepK) * stepK, stepK) : rest);
  return p;
}

}  // namespace tileloom::model
