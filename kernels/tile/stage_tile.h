// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of a certain stage: what a search over several rungs chooses between.
#pragma once

#include <span>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

struct StageTile {
  const Stage* stage = nullptr;
  TileShape tile;
  bool operator==(const StageTile&) const = default;
};

inline std::vector<StageTile> stageTiles(const Stage& stage, std::span<const TileShape> tiles) {
  std::vector<StageTile> list;
  for (const TileShape& tile : tiles) list.push_back({&stage, tile});
  return list;
}

}  // namespace tileloom
