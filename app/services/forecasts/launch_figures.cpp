// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/launch_figures.h"

#include "app/services/services.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/subject.h"

namespace tileloom {

model::Machine machineOf(const model::Ceilings& ceilings) {
  model::Machine machine;
  if (ceilings.sms > 0) machine.sms = ceilings.sms;
  if (ceilings.l2CacheBytes > 0) machine.l2CacheBytes = ceilings.l2CacheBytes;
  return machine;
}

std::optional<RooflinePoint> launchFigures(Services& services, const Subject& subject,
                                           const Problem& problem, const model::Machine& machine,
                                           RungTotals::Urgency urgency) {
  const Stage& stage = *subject.rung();
  const auto totals = services.totals.of({subject, problem}, urgency);
  if (!totals) return std::nullopt;
  const Lab& lab = services.lab;
  RooflinePoint point;
  point.subject() = subject;
  const auto speed = lab.speedOf(subject, problem);
  if (speed) {
    point.gflops = speed->gflops;
    point.freshness = speed->freshness;
  }
  const auto kernel = lab.kernelOf(subject);
  point.blocksEstimated = !kernel || kernel->blocks < 1;
  const int blocks = point.blocksEstimated
                         ? model::estimatedBlocksPerSm(stage, subject.tile, lab.arch())
                         : kernel->blocks;
  point.traffic = model::traffic(stage, subject.tile, problem, *totals, blocks, machine);
  if (speed) point.traffic.countedDram = speed->counters[runs::Counter::DramBytes];
  return point;
}

}  // namespace tileloom
