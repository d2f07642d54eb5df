// SPDX-License-Identifier: GPL-3.0-or-later
// Marks as a lecture's file has them.
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

// A text that stands in this line of the rung's source alone, which a mark names the line by;
// empty: the line is the same as another one, or blank.
std::string textOfLine(const Stage& stage, int line);

}  // namespace tileloom::lecture
