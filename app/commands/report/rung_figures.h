// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of a rung besides its speed, for ladder and roofline: bytes, intensities, conflicts, and
// the literature's measurements.
#pragma once

#include <optional>
#include <string>

#include "app/commands/common/json.h"
#include "kernels/emulator/workspace.h"
#include "kernels/model/limits/traffic.h"
#include "kernels/tile/literature.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {

struct RungFigures {
  model::Traffic traffic;
  double conflictShare = 0;  // of the wavefronts of shared memory, 0 to 1
};

// Of the whole grid; std::nullopt where the problem cannot be traced (too large, an illegal tile).
std::optional<analysis::Totals> totalsOf(emulator::Workspace& workspace, const Subject& subject,
                                         const Problem& problem);

// std::nullopt: the problem cannot be traced.
std::optional<RungFigures> figuresOf(emulator::Workspace& workspace, const Stage& stage,
                                     const TileShape& tile, const Problem& problem, int blocksPerSm,
                                     const model::Machine& machine);

// FLOP per byte, "21.3" or, where no byte moves, "-".
std::string intensityText(const model::Traffic& traffic, model::MemoryLevel level);

Json trafficJson(const model::Traffic& traffic);
Json literatureJson(const Stage& stage);  // null where it has none

}  // namespace tileloom::app
