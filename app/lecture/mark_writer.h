// SPDX-License-Identifier: GPL-3.0-or-later
// Writes marks as JSON of a lecture's file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kernels/tile/stage.h"
#include "viz/lecture/mark.h"

namespace tileloom::lecture {

nlohmann::ordered_json markJson(const Mark& mark);
nlohmann::ordered_json targetJson(const MarkTarget& target);
// "C[12,40]"
std::string elementText(const analysis::Element& element);

// A text that only this line of the rung's source contains, for a mark; empty: the line equals
// another one, or is blank.
std::string textOfLine(const Stage& stage, int line);

}  // namespace tileloom::lecture
