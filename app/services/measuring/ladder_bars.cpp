// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/ladder_bars.h"

#include "kernels/runs/recordings.h"
#include "viz/base/text/sources_text.h"

namespace tileloom {

Format formatInLadder(const Stage& stage, Format halves) {
  return stage.calculatesIn(halves) ? halves : stage.usualFormat();
}

LadderBars ladderBars(const KeptRuns& kept, const Problem& problem, Format halves,
                      const LabMachine& machine) {
  LadderBars made;
  figures::Sources sources, fp32, tensor;
  for (const Stage* stage : everyStage()) {
    figures::Sources& own = stage->ladder == Ladder::Tensor ? tensor : fp32;
    LadderBar bar;
    bar.subject() = {stage, stage->standardTile(), formatInLadder(*stage, halves)};
    const runs::RunRecord* run =
        machine.measures ? kept.latest(bar, problem, machine.device.toStdString()) : nullptr;
    if (run != nullptr) bar.freshness = Freshness::Live;
    if (run == nullptr) run = runs::recordedRun(bar, problem, {});
    if (run != nullptr) {
      bar.gflops = run->gflops;
      bar.ratio = run->ratio;
      bar.device = QString::fromStdString(run->device);
      for (figures::Sources* all : {&sources, &own})
        all->add(bar.freshness, bar.device, QString::fromStdString(run->when));
    }
    made.bars.push_back(bar);
  }
  made.source = sources.text();
  made.fp32Source = fp32.text();
  made.tensorSource = tensor.text();
  return made;
}

}  // namespace tileloom
