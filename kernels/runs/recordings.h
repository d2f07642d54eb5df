// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that ship inside the executable, measured on named devices: what the charts show where
// there is no GPU.
#pragma once

#include <span>
#include <string_view>

#include "kernels/runs/run_record.h"
#include "kernels/tile/architecture.h"

namespace tileloom::runs {

// All recorded runs; parsed once. Their origin is Recorded.
std::span<const RunRecord> recordings();

// The latest recorded run of exactly this, or nullptr. `device` matches a part of the name,
// case-insensitively; empty matches all, the reference device before others. Whoever shows one rung
// beside the next, or a speed under a roof, must not take each from another device.
const RunRecord* recordedRun(const Stage& stage, const TileShape& tile, const Problem& problem,
                             std::string_view device = kReferenceDevice);

}  // namespace tileloom::runs
