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

tl::expected<void, std::string> addForecasts(tuning::TuneRequest& request, const Architecture& arch,
                                             const ForecastProgress& goOn,
                                             const Refinement* refinement) {
  const auto rates = tuning::ratesFor(arch.name);
  if (!rates) return tl::unexpected(rates.error());
  const auto space = tuning::spaceOf(*request.stage, request.space, arch);
  if (!space) return {};
  const std::span<const TileShape> all = space->legal;
  std::vector<double> gflops;
  for (std::size_t at = 0; at < all.size(); at += kAtOnce) {
    if (goOn && !goOn(at, all.size())) return {};
    const auto part =
        tuning::foretell(*request.stage, all.subspan(at, std::min(kAtOnce, all.size() - at)),
                         request.problem, arch, *rates);
    gflops.insert(gflops.end(), part.begin(), part.end());
  }
  if (refinement != nullptr) {
    const std::size_t count = tuning::worthCompiling(all.size());
    std::vector<TileShape> order;
    for (const std::size_t i : tuning::fastest(gflops, count)) order.push_back(all[i]);
    refinement->begin(std::move(order));
    tuning::refine(*request.stage, all, gflops, request.problem, *rates, count,
                   refinement->compile);
  }
  request.predict = tuning::foreteller(all, std::move(gflops));
  return {};
}

}  // namespace tileloom::app
