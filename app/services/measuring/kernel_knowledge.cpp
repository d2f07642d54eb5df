// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/kernel_knowledge.h"

#include <QCoreApplication>
#include <QStringList>

#include "kernels/base/backwards.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("tileloom::Lab", text);
}

// Of a kernel that is not a rung: its machine code is known.
KnownKernel ofMachineCode(const Stage& stage) {
  KnownKernel kernel;
  kernel.registers = derive(stage, {}).estimatedRegisters;
  kernel.source = tr("its machine code");
  return kernel;
}

QString mainLoopOf(const runs::RunRecord& run) {
  return toQString(mainLoopText(run.rewritten, run.whyNotRewritten));
}

}  // namespace

QString limitingText(const analysis::Occupancy& occupancy) {
  QStringList limits;
  for (const auto resource : occupancy.limiting) limits += toQString(analysis::name(resource));
  return limits.join(tr(" and "));
}

KernelFacts kernelFacts(const Subject& place, const KnownKernel& kernel, const Architecture& arch) {
  const Derived d = derive(*place.rung(), place.tile);
  const analysis::BlockNeeds needs{d.threads, kernel.registers, d.sharedBytes};
  const auto o = analysis::occupancy(arch, needs);
  KernelFacts f;
  f.arch = toQString(arch.name);
  f.source = kernel.source;
  f.registers = kernel.registers;
  f.spillBytes = kernel.spillBytes;
  f.remarks = kernel.remarks;
  f.loop = kernel.loop;
  f.mainLoop = kernel.mainLoop;
  f.asCompiled = kernel.asCompiled;
  f.blocks = o.blocks;
  f.warps = o.warps;
  f.mostWarps = o.mostWarps;
  f.limitedBy = limitingText(o);
  f.nextStep = QString::fromStdString(analysis::nextStep(o, needs));
  return f;
}

Residency recordedResidency(const KernelFacts& kernel) {
  return {kReferenceSms, kernel.blocks, std::string(kReferenceDevice)};
}

std::optional<Residency> recordedResidency(const Subject& place, const Problem& problem) {
  const LabMachine none;
  const auto known = KernelKnowledge::recorded(place, problem, none.arch);
  if (!known) return std::nullopt;
  const KernelFacts kernel = kernelFacts(place, *known, none.arch);
  return kernel.blocks > 0 ? std::optional(recordedResidency(kernel)) : std::nullopt;
}

model::KernelShape shapeOf(const KernelFacts& kernel) {
  model::KernelShape shape{kernel.blocks, std::nullopt, kernel.asCompiled};
  if (kernel.loop.ffmas > 0) shape.loop = kernel.loop;
  return shape;
}

void fillOccupancy(HistoryPoint& p, const Architecture& arch) {
  if (p.rung() == nullptr || p.registers < 0) return;
  const KernelFacts facts = kernelFacts(p, {p.registers, p.spillBytes, {}, {}}, arch);
  p.blocks = facts.blocks;
  p.warps = facts.warps;
  p.mostWarps = facts.mostWarps;
  p.limitedBy = facts.limitedBy;
}

KnownKernel knownFrom(const runs::RunRecord& run, const QString& source) {
  return {run.registers,
          run.spillBytes,
          source,
          run.loop,
          {},
          mainLoopOf(run),
          !run.whyNotRewritten.empty()};
}

HistoryPoint pointOf(const runs::RunRecord& run, const LabMachine& machine) {
  HistoryPoint p;
  const Stage* stage = stageOfEitherLadder(run.stage);
  if (stage == nullptr) return p;
  p.subject() = {stage, run.tile, run.format};
  p.problem = run.problem;
  p.gflops = run.gflops;
  p.cublas = run.cublas;
  p.ratio = run.ratio;
  p.peakPercent = run.peakPercent;
  p.clockMHz = run.smClockMHz;
  p.counters = run.counters;
  p.registers = run.registers;
  p.spillBytes = run.spillBytes;
  p.mainLoop = mainLoopOf(run);
  p.device = QString::fromStdString(run.device);
  p.when = QString::fromStdString(run.when);
  p.freshness = Freshness::Recorded;
  if (!run.fingerprint.empty() && run.fingerprint != fingerprintOf(*p.rung())) {
    p.freshness = Freshness::Stale;
    p.note = tr("measured with another version of this rung's source");
  } else if (machine.measures && p.device == machine.device && run.origin == runs::Origin::Live) {
    p.freshness = Freshness::Live;
  }
  fillOccupancy(p, machine.arch);
  if (run.blocksPerSm > 0) {  // as that device's driver counted them
    p.blocks = run.blocksPerSm;
    p.warps = run.blocksPerSm * derive(*p.rung(), p.tile).warps;
    if (run.occupancy > 0) p.mostWarps = qRound(p.warps / run.occupancy);
  }
  return p;
}

void KernelKnowledge::remember(const Subject& place, KnownKernel kernel) {
  if (m_known.size() >= kMost) m_known.erase(m_known.begin(), m_known.begin() + kMost / 2);
  m_known.emplace_back(place, std::move(kernel));
}

std::optional<KnownKernel> KernelKnowledge::find(const Subject& place, const Problem& problem,
                                                 const LabMachine& machine) const {
  if (!place.rung()->isRung()) return ofMachineCode(*place.rung());
  for (const auto& [known, kernel] : backwards(m_known)) {
    if (known == place) return kernel;
  }
  if (machine.compiles) return std::nullopt;
  return recorded(place, problem, machine.arch);
}

std::optional<KnownKernel> KernelKnowledge::recorded(const Subject& place, const Problem& problem,
                                                     const Architecture& arch) {
  const auto* run = runs::recordedCode(place, problem, arch);
  if (run == nullptr) return std::nullopt;
  return knownFrom(*run, tr("recorded"));
}

KernelKnowledge::Neighbours KernelKnowledge::neighbours(const Subject& place,
                                                        const Problem& problem,
                                                        const LabMachine& machine) const {
  Neighbours around;
  const auto here = find(place, problem, machine);
  for (const ParameterSpec& spec : place.rung()->parameters) {
    for (const int value : legalValues(*place.rung(), place.tile, spec.parameter, machine.arch)) {
      const bool usual = (value & (value - 1)) == 0;
      if (!usual || value == place.tile[spec.parameter]) continue;
      const Subject there = place.with(place.tile.with(spec.parameter, value));
      const auto kernel = find(there, problem, machine);
      if (!kernel) around.unknown.push_back(there);
      if (!kernel || !here) continue;
      const KernelFacts now = kernelFacts(place, *here, machine.arch);
      const KernelFacts then = kernelFacts(there, *kernel, machine.arch);
      // More blocks with fewer warps each gain nothing.
      if (then.warps == now.warps) continue;
      around.cliffs[spec.parameter].push_back(
          {value, then.warps, now.warps, then.warps < now.warps,
           tr("%1 registers and %2 threads: %3 blocks, %4 warps per "
              "SM become %5 and %6, limited by "
              "%7")
               .arg(then.registers)
               .arg(derive(*there.rung(), there.tile).threads)
               .arg(now.blocks)
               .arg(now.warps)
               .arg(then.blocks)
               .arg(then.warps)
               .arg(then.limitedBy)});
    }
  }
  return around;
}

}  // namespace tileloom
