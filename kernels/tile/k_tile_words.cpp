// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/k_tile_words.h"

#include <fmt/format.h>

#include "kernels/tile/derived.h"

namespace tileloom {

std::string kTileRemark(const Stage& stage, const TileShape& tile) {
  if (stage.features().sharedTiles) return {};
  return fmt::format(
      "A K tile of this rung is {} elements of K: it keeps no tiles in shared memory.",
      derive(stage, tile).stepK);
}

}  // namespace tileloom
