// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/layout.h"

#include <algorithm>

#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"

namespace tileloom {

std::optional<int> banksToNextRow(const Stage& stage, const TileShape& tile) {
  constexpr int kBanks = 32;
  if (stage.spec(Parameter::PAD) == nullptr) return std::nullopt;
  return (tile[Parameter::BM] + tile[Parameter::PAD]) % kBanks;
}

std::optional<Panels> panelsOf(const Stage& stage, const TileShape& tile) {
  if (!stage.has(Parameter::SWIZZLE)) return std::nullopt;
  const int elements = tile[Parameter::SWIZZLE] / 2;
  if (elements < 1) return Panels{};
  return Panels{tile[Parameter::BK] / elements, tile[Parameter::BN] / elements};
}

std::optional<BlockPlace> patchOf(const Stage& stage, const TileShape& tile, int count) {
  if (!stage.has(Parameter::GROUP)) return std::nullopt;
  const Extent grid{2 * count, 2 * count};
  BlockPlace last;
  for (int number = 0; number < count; ++number) {
    const BlockPlace place = placeOf(stage, tile, grid, {number % grid.x, number / grid.x});
    last.row = std::max(last.row, place.row);
    last.column = std::max(last.column, place.column);
  }
  return BlockPlace{last.row + 1, last.column + 1};
}

}  // namespace tileloom
