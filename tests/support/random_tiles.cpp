// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_tiles.h"

#include <algorithm>
#include <array>
#include <set>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"

namespace tileloom::test {
namespace {

// A parameter space of up to this many tiles is searched completely.
constexpr double kSmallSpace = 4096;
// The walk gives up after this many steps.
constexpr long long kMostSteps = 5'000'000;

constexpr std::array kRich = {1,  2,  3,  4,  6,  8,  9,   12,  16,  18,  24,  27,  32,  36,
                              48, 54, 64, 72, 81, 96, 108, 128, 144, 162, 192, 216, 243, 256};

int anyValue(const ParameterSpec& spec, Random& random) {
  if (random.oneIn(5)) return random.integer(spec.min, spec.max);
  const auto from = std::lower_bound(kRich.begin(), kRich.end(), spec.min);
  const auto to = std::upper_bound(kRich.begin(), kRich.end(), spec.max);
  return *(from + random.integer(0, static_cast<int>(to - from) - 1));
}

using Values = std::array<int, kParameterCount>;

Values valuesOf(const TileShape& tile) {
  Values values{};
  for (std::size_t i = 0; i < kParameterCount; ++i) values[i] = tile[kAllParameters[i]];
  return values;
}

void addAll(const Stage& stage, std::size_t parameter, const TileShape& tile,
            std::vector<TileShape>& tiles) {
  if (parameter == stage.parameters.size()) {
    if (isLegal(stage, tile)) tiles.push_back(tile);
    return;
  }
  const ParameterSpec& spec = stage.parameters[parameter];
  for (int value = spec.min; value <= spec.max; ++value) {
    addAll(stage, parameter + 1, tile.with(spec.parameter, value), tiles);
  }
}

// Redraws up to four tile parameters.
TileShape redrawn(const Stage& stage, TileShape tile, Random& random) {
  const int parameters = static_cast<int>(stage.parameters.size());
  for (int changes = random.integer(1, 4); changes > 0; --changes) {
    const ParameterSpec& spec =
        stage.parameters[static_cast<std::size_t>(random.integer(0, parameters - 1))];
    tile[spec.parameter] = anyValue(spec, random);
  }
  return tile;
}

// Multiplies some tile parameters by a number and divides others by it, which preserves many
// divisibilities.
TileShape rescaled(const Stage& stage, TileShape tile, Random& random) {
  const int factor = random.oneIn(2) ? random.integer(2, 3) : random.integer(2, 64);
  for (const ParameterSpec& spec : stage.parameters) {
    int& value = tile[spec.parameter];
    const int way = random.integer(1, 3);
    if (way == 1 && value * factor <= spec.max) value *= factor;
    if (way == 2 && value % factor == 0) value /= factor;
  }
  return tile;
}

// Legal tiles are rare among all tiles (one in millions for the warp-tiled stage), but a change of
// a few parameters of one often gives another. So this goes from legal tile to legal tile.
void walk(const Stage& stage, std::size_t count, Random& random, std::vector<TileShape>& tiles) {
  TileShape present = stage.standardTile();
  std::set<Values> known = {valuesOf(present)};
  tiles.push_back(present);
  for (long long step = 0; step < kMostSteps && tiles.size() < count; ++step) {
    const TileShape next =
        random.oneIn(2) ? redrawn(stage, present, random) : rescaled(stage, present, random);
    if (!isLegal(stage, next)) continue;
    present = next;
    if (known.insert(valuesOf(next)).second) tiles.push_back(next);
  }
}

}  // namespace

TileShape anyTile(const Stage& stage, Random& random) {
  TileShape tile;
  for (const ParameterSpec& spec : stage.parameters) tile[spec.parameter] = anyValue(spec, random);
  return tile;
}

std::vector<TileShape> legalTiles(const Stage& stage, std::size_t count, Random& random) {
  double space = 1;  // more than an integer holds
  for (const ParameterSpec& spec : stage.parameters) space *= spec.max - spec.min + 1;
  std::vector<TileShape> tiles;
  if (space > kSmallSpace) {
    walk(stage, count, random, tiles);
    return tiles;
  }
  addAll(stage, 0, {}, tiles);
  // Shuffled, for callers that take only a few.
  for (std::size_t i = tiles.size(); i > 1; --i) {
    std::swap(tiles[i - 1], tiles[static_cast<std::size_t>(random.integer(0, int(i) - 1))]);
  }
  std::swap(*std::ranges::find(tiles, stage.standardTile()), tiles.front());
  if (tiles.size() > count) tiles.resize(count);
  return tiles;
}

Problem problemFor(const Stage& stage, const TileShape& tile, long long work, Random& random) {
  const Derived d = derive(stage, tile);
  int rows = random.integer(1, 2), columns = random.integer(1, 2);
  // Enough to reuse every buffer.
  int steps = random.integer(1, d.buffers > 1 ? 2 * d.buffers + 1 : 3);
  const long long one = 1LL * d.blockM * d.blockN * d.stepK;
  const auto tooMuch = [&] { return one * rows * columns * steps > work; };
  if (tooMuch() && steps > d.buffers + 2) steps = d.buffers + 2;
  if (tooMuch() && steps > 2 && d.buffers <= 1) steps = 2;  // finds more than two blocks do
  if (tooMuch()) rows = 1;
  if (tooMuch()) columns = 1;
  if (tooMuch() && d.buffers <= 1) steps = 1;
  const auto size = [&random](int tiles, int edge) {
    return (tiles - 1) * edge + (random.oneIn(3) ? edge : random.integer(1, edge));
  };
  return {size(rows, d.blockM), size(columns, d.blockN), size(steps, d.stepK)};
}

}  // namespace tileloom::test
