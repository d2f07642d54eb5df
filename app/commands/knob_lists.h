// SPDX-License-Identifier: GPL-3.0-or-later
// Which values a search may give a knob, as a person writes it.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tuning/space.h"

namespace tileloom::app {

// Of texts like "BM=64,128", each knob once: a knob of one of the stages, with values that all of
// them allow that have it. The error: one sentence without a full stop that begins with what is
// wrong.
tl::expected<std::vector<tuning::KnobValues>, std::string> parseKnobLists(
    std::span<const Stage* const> stages, std::span<const std::string> texts);

}  // namespace tileloom::app
