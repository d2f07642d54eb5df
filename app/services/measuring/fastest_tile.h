// SPDX-License-Identifier: GPL-3.0-or-later
// The fastest tile of a rung among the known runs, and the number of tiles it was compared with.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "kernels/runs/run_record.h"
#include "viz/charts/ladder/ladder_columns.h"

namespace tileloom {

// Of the runs of this rung's present source in this format at this size on this device; noisy
// ones are left out. std::nullopt: there is none.
std::optional<FastestTile> fastestTile(std::span<const runs::RunRecord* const> runs,
                                       const Stage& stage, const Problem& problem, Format format,
                                       std::string_view device);

}  // namespace tileloom
