// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/kernel_shape.h"

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {
namespace {

KernelShape shape(int blocks, const sass::LoopSize& loop, bool asCompiled) {
  KernelShape made{blocks, std::nullopt, asCompiled};
  if (loop.ffmas > 0) made.loop = loop;
  return made;
}

}  // namespace

KernelShape shapeOf(const Stage& stage, const TileShape& tile, int registers,
                    const sass::LoopSize& loop, const Architecture& arch, bool asCompiled) {
  const Derived d = derive(stage, tile);
  const analysis::BlockNeeds needs{d.threads, registers, d.sharedBytes};
  return shape(analysis::occupancy(arch, needs).blocks, loop, asCompiled);
}

KernelShape shapeOf(const Stage& stage, const runs::RunRecord& run) {
  return shape(run.blocksPerSm, run.loop, stage.rewriter > 0 && !run.rewritten);
}

std::optional<KernelShape> shapeFrom(std::span<const runs::RunRecord> runs, const Subject& subject,
                                     std::string_view arch) {
  const Stage& stage = *subject.rung();
  std::string hash;  // computed only if another field matches
  for (const runs::RunRecord& run : runs) {
    if (run.stage != stage.id || run.format != subject.format || run.arch != arch ||
        !(run.tile == subject.tile))
      continue;
    if (run.blocksPerSm <= 0) continue;
    if (hash.empty()) hash = fingerprintOf(stage);
    if (run.fingerprint == hash) return shapeOf(stage, run);
  }
  return std::nullopt;
}

}  // namespace tileloom::model
