// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/whole_tiles.h"

#include "kernels/tile/derived.h"

namespace tileloom {

Problem wholeTiles(const Stage& stage, const TileShape& tile, const Problem& problem) {
  if (!stage.is(Trait::CopyEngine)) return paddedProblem(stage, tile, problem);
  const Derived d = derive(stage, tile);
  const auto up = [](int value, int unit) {
    return unit > 0 ? (value + unit - 1) / unit * unit : value;
  };
  return {up(problem.m, d.blockM), up(problem.n, d.blockN), up(problem.k, d.stepK)};
}

}  // namespace tileloom
