// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/teaching/teach_facts.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "app/services/measuring/kernel_knowledge.h"
#include "app/services/services.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/runs/run_index.h"
#include "kernels/tuning/space.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TeachFacts)
};

}  // namespace

TeachData teachDataOf(const Services& services) {
  const Scene& scene = services.explorer.scene();
  TeachData data;
  if (!scene.ready()) return data;
  data.recording = scene.recording;
  const emulator::Trace& trace = scene.recording->trace;
  data.warp = scene.moment.warp;
  data.thread = scene.shownThread();
  data.derived = derive(*trace.rung(), trace.tile);
  data.namesWarps =
      data.derived.wmiter > 0 || trace.features().warpMma || trace.features().warpgroupMma;
  const Architecture arch = services.lab.arch();
  const auto kernel = services.lab.kernelOf(trace);
  data.registers = expectedRegisters(*trace.rung(), trace.tile);
  data.registersSource = Words::tr("estimated");
  if (kernel && kernel->registers > 0) {
    data.registers = kernel->registers;
    data.registersSource = kernel->source;
  }
  const analysis::Occupancy occupancy =
      analysis::occupancy(arch, {data.derived.threads, data.registers, data.derived.sharedBytes});
  data.blocks = occupancy.blocks;
  data.sharedBytes = Architecture::sharedOfBlock(data.derived.sharedBytes);
  data.sharedPerSm = arch.sharedPerSm;
  data.limitedBy = limitingText(occupancy);
  return data;
}

BakeryData bakeryDataOf(Services& services) {
  const Explorer& explorer = services.explorer;
  const Stage& stage = explorer.stage();
  BakeryData data;
  data.kernel = figures::stageText(&stage);
  data.size = figures::sizeText(explorer.problem());
  const auto space = services.tuner.survey(stage, defaultArchitecture());
  data.counted = space.has_value();
  data.combinations = space ? space->generated : 0;
  data.legal = space ? space->legal : 0;
  for (const tuning::Rejection& rejection :
       space ? space->rejected : std::vector<tuning::Rejection>()) {
    if (rejection.tiles > 0)
      data.rules.push_back(
          {Words::tr("by the rule \"%1\"").arg(toQString(rejection.row)), rejection.tiles});
  }
  std::ranges::stable_sort(data.rules, std::ranges::greater(), &BakeryData::Rule::tiles);
  // Runs of the device with the most of them; the latest of each tile.
  std::map<std::string, std::map<std::string, const runs::RunRecord*>> runs;
  for (const runs::RunRecord* run : services.lab.runs()) {
    if (run->stage != stage.id || !(run->problem == explorer.problem()) ||
        run->format != explorer.format())
      continue;
    const runs::RunRecord*& kept =
        runs[run->device][figures::tileText(&stage, run->tile).toStdString()];
    if (kept == nullptr || kept->when < run->when) kept = run;
  }
  const auto most =
      std::ranges::max_element(runs, {}, [](const auto& device) { return device.second.size(); });
  if (most == runs.end()) return data;
  data.device = figures::deviceText(QString::fromStdString(most->first));
  data.unit = figures::speedUnit(explorer.format());
  data.factor = figures::speedFactor(explorer.format());
  for (const auto& [tile, run] : most->second) {
    data.loaves.push_back(
        {QString::fromStdString(tile), run->gflops.median, run->tile == explorer.tile()});
  }
  std::ranges::stable_sort(data.loaves, std::ranges::greater(), &BakeryData::Loaf::gflops);
  return data;
}

}  // namespace tileloom
