// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecaster.h"

#include <QCoreApplication>

#include "app/services/kernel_knowledge.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/totals.h"
#include "kernels/model/rates.h"
#include "viz/base/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Forecaster)
};

}  // namespace

QString limitText(const model::Prediction& prediction) {
  const auto pipe = prediction.bottleneck();
  return Words::tr("%1, %2 % of the cycles")
      .arg(pipe ? toQString(name(*pipe)) : Words::tr("exposed latency"))
      .arg(qRound(100 * prediction.bottleneckShare()));
}

const model::Rates* Forecaster::ratesFor(const std::string& arch) {
  auto known = m_rates.find(arch);
  if (known == m_rates.end()) {
    const auto read = model::ratesFor(arch);
    known = m_rates.emplace(arch, read ? std::optional(*read) : std::nullopt).first;
  }
  return known->second ? &*known->second : nullptr;
}

std::optional<Forecast> Forecaster::of(const analysis::Recording& recording,
                                       const KernelFacts& kernel) {
  const auto& trace = recording.trace;
  if (!model::isPredicted(*trace.stage)) return std::nullopt;
  const model::Rates* rates = ratesFor(kernel.arch.toStdString());
  if (rates == nullptr || kernel.blocks <= 0 || trace.kTilesTraced == 0) return std::nullopt;
  const auto work = model::workloadOf(*trace.stage, trace.tile, trace.asked, recording.loop(),
                                      trace.kTilesTraced, shapeOf(kernel), rates->chip.machine);
  const model::Prediction p = model::predict(work, *rates, rates->chip);
  return Forecast{p.gflops, p.gflopsLow, p.gflopsHigh, limitText(p)};
}

}  // namespace tileloom
