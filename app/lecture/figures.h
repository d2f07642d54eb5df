// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a lecture with figures between braces: "{threads} threads", "{percent of naive at 8192}
// of cuBLAS". A figure has one source, its measurement; a text names it.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/lecture/quantities.h"

namespace tileloom::lecture {

// Nothing, or one sentence without a full stop on a name that does not exist.
std::string whyNotFilled(std::string_view text);

// The text with its figures. `own` is the step's tile. An unknown figure is "(not known)", which
// `lecture check` reports.
std::string filled(std::string_view text, const TileFacts& own);
inline constexpr std::string_view kNotKnown = "(not known)";

}  // namespace tileloom::lecture
