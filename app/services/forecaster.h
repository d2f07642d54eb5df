// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions for what the window shows, from the recording in the loom.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "kernels/analysis/recording.h"
#include "kernels/model/prediction.h"
#include "viz/base/kernel_facts.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

class Forecaster {
 public:
  // Of the tile of this recording, whose kernel these facts are of. Nothing where its rung is
  // not predicted, where its architecture has no constants, where no block fits an SM, or where no
  // K tile was recorded. Microseconds.
  std::optional<Forecast> of(const analysis::Recording& recording, const KernelFacts& kernel);

 private:
  const model::Rates* ratesFor(const std::string& arch);

  std::map<std::string, std::optional<model::Rates>> m_rates;  // read once
};

// "instruction issue, 82 % of the cycles"
QString limitText(const model::Prediction& prediction);

}  // namespace tileloom
