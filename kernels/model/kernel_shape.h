// SPDX-License-Identifier: GPL-3.0-or-later
// What a prediction wants to know of a compiled kernel, from whatever source there is.
#pragma once

#include <optional>
#include <span>

#include "kernels/model/workload.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/architecture.h"

namespace tileloom::model {

// Of a compiled kernel. No block fits an SM: blocksPerSm is 0. No FFMAs: its loop is unknown.
KernelShape shapeOf(const Stage& stage, const TileShape& tile, int registers,
                    const sass::LoopSize& loop, const Architecture& arch);

// From the first run of this stage, tile and architecture, at any size, that is of the present
// source; nothing where there is none.
std::optional<KernelShape> shapeFrom(std::span<const runs::RunRecord> runs, const Stage& stage,
                                     const TileShape& tile, std::string_view arch);

}  // namespace tileloom::model
