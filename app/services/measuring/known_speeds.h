// SPDX-License-Identifier: GPL-3.0-or-later
// The speeds of tiles that kept and recorded runs know, as points of the history.
#pragma once

#include <optional>
#include <vector>

#include "app/services/measuring/kept_runs.h"
#include "app/services/measuring/lab_machine.h"
#include "kernels/tile/subject.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// The latest kept runs of known rungs, at most a few hundred, the latest last.
std::vector<HistoryPoint> keptPoints(const KeptRuns& kept, const LabMachine& machine);
// A tile that was not measured yet: where nothing can be measured, with its recorded speed.
HistoryPoint unmeasuredPoint(const Subject& place, const Problem& problem,
                             const LabMachine& machine);
// The latest live run of the tile at this size, or else a recorded one; std::nullopt: neither.
std::optional<HistoryPoint> latestSpeed(const KeptRuns& kept, const Subject& place,
                                        const Problem& problem, const LabMachine& machine);
// A run of this rung's present source at this size for each device that has one: the latest of
// this tile, else one of the rung's fastest tile there. Fastest first.
std::vector<HistoryPoint> speedsByDevice(const KeptRuns& kept, const Subject& subject,
                                         const Problem& problem, const LabMachine& machine);

}  // namespace tileloom
