// SPDX-License-Identifier: GPL-3.0-or-later
// Timelines of rungs as the page shows them, for tests of views.
#pragma once

#include <stdexcept>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/program.h"
#include "kernels/timeline/recorded/measured_seam.h"
#include "kernels/timeline/recorded/shipped_stamps.h"
#include "kernels/timeline/seam.h"
#include "tests/support/text.h"
#include "viz/timeline/timeline_data.h"

namespace tileloom::test {

// With the shipped timestamps.
inline TimelineData timelineOf(std::string_view id, int delay = 0, bool betweenTiles = false) {
  const Stage& stage = test::stage(id);
  constexpr Problem kProblem{4096, 4096, 4096};
  emulator::Workspace workspace;
  emulator::TraceRequest request;
  request.subject() = standardSubject(stage);
  request.problem = kProblem;
  request.kTiles = timeline::tilesWanted(stage, request.tile);
  request.operands = false;
  if (betweenTiles)
    request = timeline::betweenTiles(usualSubject(stage, request.tile), kProblem).value();
  const auto program = timeline::programOf(emulator::traceBlock(workspace, request));
  const auto rates = *model::ratesFor("sm_90");
  const auto kernel =
      model::shapeFrom(runs::recordings(), usualSubject(stage, request.tile), "sm_90")
          .value_or(model::KernelShape{2, std::nullopt});
  const auto loop = analysis::traceLoop(workspace, usualSubject(stage, request.tile), kProblem);
  const auto work = model::workloadOf(stage, request.tile, kProblem, loop.totals, loop.kTiles,
                                      kernel, rates.chip.machine);
  auto costs = timeline::costsOf(stage, work, program, rates, model::ceilingsOf({}, {}));
  const auto usual = timeline::simulate(program, costs);
  if (!usual) throw std::runtime_error(usual.error());
  costs.delay = delay;
  const auto simulated = timeline::simulate(program, costs);
  if (!simulated) throw std::runtime_error(simulated.error());
  TimelineData data;
  data.timeline = std::make_shared<const timeline::Timeline>(*simulated);
  data.subject() = usualSubject(stage, request.tile);
  data.delay = delay;
  data.device = QString::fromStdString(rates.device);
  data.usualCycles = usual->cyclesPerTile;
  data.usualEnd = usual->tileStarts.at(kTilesShown);
  if (betweenTiles) showSeam(data, kProblem.k);
  auto stamps = timeline::shippedStamps(usualSubject(stage, request.tile), kProblem, "sm_90");
  if (stamps) {
    auto laid = betweenTiles ? timeline::besideAtSeam(std::move(*stamps), program, *data.timeline)
                             : timeline::beside(std::move(*stamps), program, *data.timeline);
    if (!laid) throw std::runtime_error(laid.error());
    data.beside = std::make_shared<const timeline::Beside>(std::move(*laid));
  }
  return data;
}

}  // namespace tileloom::test
