// SPDX-License-Identifier: GPL-3.0-or-later
// Text from outside (a command line, a file, another process) made fit to be shown in a sentence,
// a table or a terminal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tileloom {

inline constexpr std::size_t kMostQuoted = 80;  // characters

// Fit to stand between quotes in a sentence: bytes that are no UTF-8, control characters and marks
// that turn the direction of the text are question marks, and of more than `most` characters the
// first ones stay, with "..." behind them.
std::string quotable(std::string_view text, std::size_t most = kMostQuoted);

// The same for the name of a file, of which the end tells more than the beginning: of a long one
// the last characters stay, with "..." before them.
std::string quotableFile(const std::filesystem::path& file);

// A whole text for a terminal, of any length: newlines and tabs stay, the rest is as in quotable().
std::string terminalText(std::string_view text);

// Whether there are characters that a text for people must not have: ASCII's and Unicode's control
// characters, line separators, and marks that turn the direction of the text.
bool hasControlCharacters(std::string_view text);

// Whether the text can be shown as it is: UTF-8 without such characters.
bool isPlain(std::string_view text);

}  // namespace tileloom
