// SPDX-License-Identifier: GPL-3.0-or-later
// What the targets share: what has to hold, said aloud where it does not.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace tileloom::fuzz {

// Each target defines this one: the bytes are what somebody else has sent.
void attack(std::string_view bytes);

// Prints `what` and stops the process where the condition does not hold.
void require(bool condition, std::string_view what);

// Fit to be shown: UTF-8 without control characters.
void requirePlain(std::string_view text);
// All texts of a value, the names of its members included.
void requirePlainTexts(const nlohmann::json& value);
// The same for a line of JSON, which must be one that can be read.
void requirePlainLine(std::string_view line);

// One line of bounded length for a person, with something in it and without a full stop.
void requireSentence(std::string_view error);

// The part up to the first zero byte, and what is behind it.
struct Halves {
  std::string_view first, second;
};
Halves halvesOf(std::string_view bytes);

}  // namespace tileloom::fuzz
