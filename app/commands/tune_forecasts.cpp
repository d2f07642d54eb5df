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
                                             const ForecastProgress& goOn) {
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
  request.predict = tuning::foreteller(all, std::move(gflops));
  return {};
}

}  // namespace tileloom::app
