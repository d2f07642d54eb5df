// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the targets: checks that print what does not hold.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace tileloom::fuzz {

// Each target defines this: the bytes are input from outside.
void attack(std::string_view bytes);

// Prints `what` and stops the process if the condition does not hold.
void require(bool condition, std::string_view what);

// Printable: UTF-8 without control characters.
void requirePlain(std::string_view text);
// All texts of a value, the names of its members included.
void requirePlainTexts(const nlohmann::json& value);
// The same for a line of JSON, which must be readable.
void requirePlainLine(std::string_view line);

// One sentence for the user: a line of bounded length, not empty, without a full stop.
void requireSentence(std::string_view error);

// The part before the first zero byte, and the part after it.
struct Halves {
  std::string_view first, second;
};
Halves halvesOf(std::string_view bytes);

}  // namespace tileloom::fuzz
