// SPDX-License-Identifier: GPL-3.0-or-later
// Which values a search may give a knob, as a person writes it.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tuning/space.h"

namespace tileloom::app {

// Of texts like "BM=64,128", each knob once. The error: one sentence without a full stop that
// begins with what is wrong.
tl::expected<std::vector<tuning::KnobValues>, std::string> parseKnobLists(
    const Stage& stage, std::span<const std::string> texts);

}  // namespace tileloom::app
