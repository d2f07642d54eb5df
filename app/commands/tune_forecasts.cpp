// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tune_forecasts.h"

#include <algorithm>
#include <span>

#include "kernels/tuning/foretell.h"
#include "kernels/tuning/rates.h"

namespace tileloom::app {
namespace {

constexpr std::size_t kAtOnce = 256;  // fractions of a second: that long a person waits for Stop

}  // namespace

tl::expected<std::vector<double>, std::string> forecasts(const Stage& stage, const Problem& problem,
                                                         std::span<const TileShape> tiles,
                                                         const Architecture& arch,
                                                         const ForecastProgress& goOn,
                                                         const Refinement* refinement) {
  const auto rates = tuning::ratesFor(arch.name);
  if (!rates) return tl::unexpected(rates.error());
  std::vector<double> gflops;
  for (std::size_t at = 0; at < tiles.size(); at += kAtOnce) {
    if (goOn && !goOn(at, tiles.size())) {
      gflops.resize(tiles.size());
      return gflops;
    }
    const auto part = tuning::foretell(
        stage, tiles.subspan(at, std::min(kAtOnce, tiles.size() - at)), problem, arch, *rates);
    gflops.insert(gflops.end(), part.begin(), part.end());
  }
  if (refinement != nullptr) {
    const std::size_t count = tuning::worthCompiling(tiles.size());
    std::vector<TileShape> order;
    for (const std::size_t i : tuning::fastest(gflops, count)) order.push_back(tiles[i]);
    refinement->begin(std::move(order));
    tuning::refine(stage, tiles, gflops, problem, *rates, count, refinement->compile);
  }
  return gflops;
}

}  // namespace tileloom::app
