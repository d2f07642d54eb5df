// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/executed_totals.h"

#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/tile/words.h"

namespace tileloom::gpu {

runs::TotalsOf executedTotals(std::shared_ptr<const Nvrtc> nvrtc, const BuildCache* cache) {
  return [nvrtc = std::move(nvrtc),
          cache](const runs::RunRecord& run) -> tl::expected<analysis::Totals, std::string> {
    const auto arch = architectureNamed(run.arch);
    if (!arch) return tl::unexpected(arch.error());
    const Subject subject{stageOfEitherLadder(run.stage), run.tile, run.format};
    auto build = buildStage(*nvrtc, cache, subject, *arch);
    if (!build) return tl::unexpected(build.error().text);
    if (!run.rewritten && build->rewriting) *build = asCompiled(std::move(*build));
    auto launch = RungLaunch::of(*build, run.problem);
    if (!launch) return tl::unexpected(launch.error());
    launch->randomise(1);
    return launch->count();
  };
}

}  // namespace tileloom::gpu
