// SPDX-License-Identifier: GPL-3.0-or-later
// What a prediction wants to know of a compiled kernel, from whatever source there is.
#pragma once

#include <optional>
#include <span>

#include "kernels/analysis/workload.h"
#include "kernels/gpu/build.h"
#include "kernels/tuning/run_record.h"

namespace tileloom::tuning {

// Of a kernel that was compiled here. No block fits an SM: blocksPerSm is 0.
analysis::KernelShape shapeOf(const gpu::Build& build, const Architecture& arch);
// The same of one compiled elsewhere, of which these are known. No FFMAs: its loop is unknown.
analysis::KernelShape shapeOf(const Stage& stage, const TileShape& tile, int registers,
                              const sass::LoopSize& loop, const Architecture& arch);

// From the first run of this stage, tile and architecture, at any size, that is of the present
// source; nothing where there is none.
std::optional<analysis::KernelShape> shapeFrom(std::span<const RunRecord> runs, const Stage& stage,
                                               const TileShape& tile, std::string_view arch);

}  // namespace tileloom::tuning
