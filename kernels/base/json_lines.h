// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand in a JSON text: complaints about files that people write by hand name a line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tileloom {

// The line, from 1, on which the value stands that a JSON pointer (RFC 6901) names:
// "/steps/3/session/tile". The line of the innermost value on the way where there is no such
// value. The text must be valid JSON.
int lineOf(std::string_view json, std::string_view pointer);

// The pointer to a member of what `pointer` names, whatever its name is.
std::string memberOf(std::string_view pointer, std::string_view name);

struct JsonError {
  int line = 1;
  std::string words;  // what is wrong there, without a full stop: "expected '}' …"
};

// The first place at which the text is no JSON; std::nullopt if it is.
std::optional<JsonError> syntaxError(std::string_view json);

}  // namespace tileloom
