// SPDX-License-Identifier: GPL-3.0-or-later
// The properties of a compiled kernel that a prediction needs, from a build or from a recorded run.
#pragma once

#include <optional>
#include <span>

#include "kernels/model/prediction/workload.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {

// The shape of a compiled kernel. If no block fits on an SM, blocksPerSm is 0. If `loop` has no
// FFMAs, the loop is unknown. `asCompiled` as in KernelShape.
KernelShape shapeOf(const Stage& stage, const TileShape& tile, int registers,
                    const sass::LoopSize& loop, const Architecture& arch, bool asCompiled = false);

// As the run's kernel.
KernelShape shapeOf(const Stage& stage, const runs::RunRecord& run);

// From the first run of this subject on this architecture, at any size, that was made with the
// present source. std::nullopt: there is none.
std::optional<KernelShape> shapeFrom(std::span<const runs::RunRecord> runs, const Subject& subject,
                                     std::string_view arch);

}  // namespace tileloom::model
