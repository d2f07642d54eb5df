// SPDX-License-Identifier: GPL-3.0-or-later
// Formats a lecture's file for reading: a line for each member of a step, and for each of its
// marks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tileloom::lecture {

std::string lectureText(const nlohmann::ordered_json& lecture);

}  // namespace tileloom::lecture
