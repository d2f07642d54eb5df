// SPDX-License-Identifier: GPL-3.0-or-later
// Writes JSON as text. Strings may come from file names, variables and other programs, and need not
// be UTF-8: such bytes become U+FFFD, where dump() alone would throw.
#pragma once

#include <string>

namespace tileloom {

// On one line, or with `indent` spaces per level; without a newline at the end.
template <class Json>
std::string dumped(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tileloom
