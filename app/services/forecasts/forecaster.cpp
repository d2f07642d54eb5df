// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/forecaster.h"

#include "app/services/forecasts/launch_limit.h"
#include "app/services/measuring/kernel_knowledge.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/model/prediction/rates.h"

namespace tileloom {

std::optional<Forecast> forecastOf(const analysis::Recording& recording,
                                   const KernelFacts& kernel) {
  const auto& trace = recording.trace;
  if (!model::isPredicted(*trace.rung())) return std::nullopt;
  const model::Rates* rates = shippedRates(kernel.arch.toStdString());
  if (rates == nullptr || kernel.blocks <= 0 || recording.kTile() == nullptr) return std::nullopt;
  const auto work =
      model::workloadOf(*trace.rung(), trace.tile, trace.asked, recording.kTile()->totals,
                        recording.kTile()->kTiles, shapeOf(kernel), rates->chip.machine);
  const model::Prediction p = model::predict(work, *rates, rates->chip);
  Forecast forecast{p.gflops, p.gflopsLow, p.gflopsHigh, {}};
  const auto arch = architectureNamed(kernel.arch.toStdString());
  if (!arch) return forecast;
  if (const auto limit = launchLimit(recording, &kernel, *arch, nullptr))
    forecast.limit = QString::fromStdString(shortText(*limit));
  return forecast;
}

}  // namespace tileloom
