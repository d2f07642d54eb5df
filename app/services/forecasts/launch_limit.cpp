// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/launch_limit.h"

#include <map>

#include "app/services/measuring/kernel_knowledge.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/model/prediction/rates.h"

namespace tileloom {

const model::Rates* shippedRates(const std::string& arch) {
  static std::map<std::string, std::optional<model::Rates>> all;
  auto known = all.find(arch);
  if (known == all.end()) {
    const auto read = model::ratesFor(arch);
    known = all.emplace(arch, read ? std::optional(*read) : std::nullopt).first;
  }
  return known->second ? &*known->second : nullptr;
}

std::optional<model::Limit> launchLimit(const analysis::Recording& recording,
                                        const KernelFacts* kernel, const Architecture& arch,
                                        const model::Ceilings* ceilings) {
  const auto& trace = recording.trace;
  if (recording.kTile() == nullptr) return std::nullopt;
  model::KernelFacts facts;
  if (kernel != nullptr) facts.shape = shapeOf(*kernel);
  return model::limitOf({.subject = trace,
                         .problem = trace.asked,
                         .loop = *recording.kTile(),
                         .arch = arch,
                         .facts = kernel != nullptr ? &facts : nullptr,
                         .rates = shippedRates(std::string(arch.name)),
                         .ceilings = ceilings});
}

}  // namespace tileloom
