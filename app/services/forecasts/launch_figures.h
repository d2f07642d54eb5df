// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of one launch for roofline and ladder: bytes at each level, speed, blocks per SM.
#pragma once

#include <optional>

#include "app/services/forecasts/rung_totals.h"
#include "kernels/tile/subject.h"
#include "viz/charts/roofline/roofline_data.h"

namespace tileloom {

struct Services;

// The device whose roofs are shown, with the properties that the traffic model needs.
model::Machine machineOf(const model::Ceilings& ceilings);

// std::nullopt: this launch is not traced yet; RungTotals::changed() follows once it is.
std::optional<RooflinePoint> launchFigures(Services& services, const Subject& subject,
                                           const Problem& problem, const model::Machine& machine,
                                           RungTotals::Urgency urgency);

}  // namespace tileloom
