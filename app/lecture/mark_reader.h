// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a mark of a lecture, and judges whether its step shows what it points at.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/session/session.h"
#include "viz/lecture/mark.h"

namespace tileloom::lecture {

struct Trouble;

// `session` is that of the step. What is wrong is the trouble's, at `pointer`.
Mark readMark(const nlohmann::json& value, const std::string& pointer, const Session& session,
              Trouble& trouble);

// The number of the one line of this rung's source that has the text in it, from 1; 0: none or
// several.
int lineWith(const Stage& stage, std::string_view text);
// Empty, or a sentence without a full stop: no line, or several, have the text in them.
std::string whyNoLine(const Stage& stage, std::string_view text);

}  // namespace tileloom::lecture
