// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/kernel_book.h"

#include <fmt/format.h>

#include "kernels/analysis/counts/loop_cost.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {
namespace {

std::vector<runs::RunRecord> ownRuns() {
  auto file = runs::readRuns(runs::defaultRunFile());
  return file ? std::move(file->runs) : std::vector<runs::RunRecord>();
}

}  // namespace

std::string noBlockText(const Stage& stage, const TileShape& tile, int registers,
                        const Architecture& arch) {
  const Derived d = derive(stage, tile);
  const analysis::BlockNeeds needs{d.threads, registers, d.sharedBytes};
  return fmt::format("of this tile on {} {}", arch.name,
                     analysis::nextStep(analysis::occupancy(arch, needs), needs));
}

KernelBook::KernelBook(const Architecture& arch, bool useCache)
    : arch_(arch), nvrtc_(gpu::Nvrtc::load()), own_(ownRuns()) {
  if (useCache) cache_.emplace();
}

const runs::RunRecord* KernelBook::recordedKernel(const Subject& subject) const {
  const Stage& stage = *subject.rung();
  for (const runs::RunRecord& run : runs::recordings()) {
    if (run.stage != stage.id || run.format != subject.format || run.arch != arch_.name ||
        !(run.tile == subject.tile))
      continue;
    if (run.blocksPerSm <= 0 || run.fingerprint != fingerprintOf(stage)) continue;
    if (!nvrtc_ || run.cuda == (*nvrtc_)->version()) return &run;
  }
  return nullptr;
}

Result<model::KernelFacts> KernelBook::facts(const Subject& subject) const {
  const Stage& stage = *subject.rung();
  model::KernelFacts facts;
  if (const auto* run = recordedKernel(subject)) {
    facts = model::factsOf(*run);
  } else if (!nvrtc_) {
    return fail(
        Trouble::Missing,
        fmt::format(
            "an explanation needs the kernel's registers, and none are recorded for this tile: {}",
            nvrtc_.error().text));
  } else {
    const auto build = gpu::buildStage(**nvrtc_, cache_ ? &*cache_ : nullptr, subject, arch_);
    if (!build) return tl::unexpected(build.error());
    facts.registers = build->resources.registers;
    facts.spillBytes = build->resources.spillStores + build->resources.spillLoads;
    facts.shape = model::shapeOf(stage, subject.tile, build->resources.registers, build->loop,
                                 arch_, build->leftAsCompiled());
    facts.source = model::Source::MachineCode;
    if (facts.shape.blocksPerSm <= 0) {
      return fail(Trouble::BadRequest,
                  noBlockText(stage, subject.tile, build->resources.registers, arch_));
    }
  }
  facts.banks = analysis::recordedLoopCost(subject, arch_.name);
  return facts;
}

const runs::RunRecord* KernelBook::run(const Subject& subject, const Problem& problem,
                                       std::string_view device) const {
  const Stage& stage = *subject.rung();
  const runs::RunRecord* found = nullptr;
  const auto look = [&](std::span<const runs::RunRecord> runs, bool anyDevice) {
    for (const runs::RunRecord& run : runs) {
      if (run.stage != stage.id || run.format != subject.format || !(run.tile == subject.tile))
        continue;
      if (anyDevice ? run.arch != arch_.name : run.device != device) continue;
      if (!(run.problem == problem) || !run.gflops.known()) continue;
      if (run.fingerprint != fingerprintOf(stage)) continue;
      if (found == nullptr || !run.counters.empty() || found->counters.empty()) found = &run;
    }
  };
  look(runs::recordings(), false);
  look(own_, true);
  return found;
}

std::optional<tuning::Fastest> KernelBook::fastest(const Stage& stage, const Problem& problem,
                                                   std::string_view device, Format format) const {
  std::vector<const runs::RunRecord*> all;
  for (const runs::RunRecord& run : runs::recordings()) all.push_back(&run);
  for (const runs::RunRecord& run : own_) all.push_back(&run);
  return tuning::fastestOf(all, stage, problem, device, format);
}

}  // namespace tileloom::app
