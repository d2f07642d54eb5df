// SPDX-License-Identifier: GPL-3.0-or-later
// What the page Access pattern shows for its fields: one access with its counts and the hint, or
// why there is none.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "kernels/own/access_hint.h"
#include "kernels/own/access_pattern.h"
#include "viz/memory/pattern_choice.h"

namespace tileloom {

struct PatternShown {
  own::AccessPattern pattern;  // of one access
  own::AccessHint hint;
};

// The error is one sentence without a full stop.
tl::expected<PatternShown, std::string> patternShown(const PatternChoice& choice);

}  // namespace tileloom
