// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the lines of values in a JSON text: errors about hand-written files name a line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tileloom {

// The line, from 1, of the value that a JSON pointer (RFC 6901) names: "/steps/3/session/tile". If
// there is no such value, the line of the innermost value on the path. The text must be valid JSON.
int lineOf(std::string_view json, std::string_view pointer);

// The pointer to a member of what `pointer` names, whatever its name is.
std::string memberOf(std::string_view pointer, std::string_view name);

struct JsonError {
  int line = 1;
  std::string words;  // what is wrong there, without a full stop: "expected '}' …"
};

// The first place at which the text is not JSON; std::nullopt: it is JSON.
std::optional<JsonError> syntaxError(std::string_view json);

}  // namespace tileloom
