// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a mark of a lecture, and checks whether its step shows the target.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/session/session.h"
#include "viz/lecture/mark.h"

namespace tileloom::lecture {

struct Trouble;

// `session` is that of the step. Errors go to `trouble`, at `pointer`.
Mark readMark(const nlohmann::json& value, const std::string& pointer, const Session& session,
              Trouble& trouble);

// The number of the only line of this rung's source that contains the text, from 1; 0: none or
// several.
int lineWith(const Stage& stage, std::string_view text);
// Empty, or a sentence without a full stop: no line, or several, contain the text.
std::string whyNoLine(const Stage& stage, std::string_view text);

}  // namespace tileloom::lecture
