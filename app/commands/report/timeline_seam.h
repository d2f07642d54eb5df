// SPDX-License-Identifier: GPL-3.0-or-later
// The report of `tileloom timeline --between-tiles`.
#pragma once

#include <optional>
#include <string>

#include "app/commands/common/stage_options.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/beside.h"
#include "kernels/timeline/costs.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::app {

// `beside`: the timestamps of a block there, if any. `device` is that of the rates; `costs` say
// what makes memory slower. `timeline` reaches from one block tile into the next.
std::string seamReport(const Subject& choice, const Problem& problem,
                       const timeline::Timeline& timeline, const std::string& device,
                       const timeline::Costs& costs, const std::optional<timeline::Beside>& beside);

}  // namespace tileloom::app
