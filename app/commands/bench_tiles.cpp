// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/bench_tiles.h"

#include <algorithm>
#include <functional>

#include "kernels/tile/constraints.h"
#include "kernels/tuning/space.h"
#include "kernels/tuning/spread.h"

namespace tileloom::app {
namespace {

// Estimates the emulator's work for one K tile: multiply-adds, and fragment loads, which cost four
// times as much.
long long work(const Stage& stage, const TileShape& tile) {
  const Derived d = derive(stage, tile);
  const long long dots = d.stepK;
  return dots * d.blockM * d.blockN + 4 * dots * d.threads * d.fragments;
}

}  // namespace

std::vector<TileShape> randomTiles(const Stage& stage, std::size_t count, std::mt19937& random) {
  std::vector<std::vector<int>> values;
  for (const ParameterSpec& spec : stage.parameters)
    values.push_back(tuning::searchValues(spec, true));
  std::vector<TileShape> tiles;
  constexpr int kAttempts = 300000;
  for (int attempt = 0; attempt < kAttempts && tiles.size() < count; ++attempt) {
    TileShape tile;
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Not a std distribution: those differ between libraries, and so would the tiles.
      tile[stage.parameters[i].parameter] = values[i][random() % values[i].size()];
    }
    if (!isLegal(stage, tile)) continue;
    if (std::ranges::find(tiles, tile) == tiles.end()) tiles.push_back(tile);
  }
  return tiles;
}

std::vector<TileShape> heaviestTiles(const Stage& stage, std::size_t count) {
  struct Weighed {
    long long work;
    TileShape tile;
  };
  std::vector<Weighed> all;
  for (const TileShape& tile : tuning::powerOfTwoTiles(stage))
    all.push_back({work(stage, tile), tile});
  std::ranges::stable_sort(all, std::greater{}, &Weighed::work);
  if (all.size() > count) all.resize(count);
  std::vector<TileShape> tiles;
  for (const Weighed& weighed : all) tiles.push_back(weighed.tile);
  return tiles;
}

}  // namespace tileloom::app
