// SPDX-License-Identifier: GPL-3.0-or-later
// Makes text from outside (a command line, a file, another process) safe to show in a sentence, a
// table or a terminal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tileloom {

inline constexpr std::size_t kMostQuoted = 80;  // characters

// Safe between quotation marks in a sentence: bytes that are not UTF-8, control characters and
// marks that change the text direction become question marks. Of more than `most` characters the
// first ones are kept, followed by "...".
std::string quotable(std::string_view text, std::size_t most = kMostQuoted);

// The same for the name of a file, whose end says more than its beginning: of a long one the last
// characters are kept, after "...".
std::string quotableFile(const std::filesystem::path& file);

// A whole text for a terminal, of any length: newlines and tabs are kept, the rest is as in
// quotable().
std::string terminalText(std::string_view text);

// Whether there are characters that a displayed text must not have: ASCII's and Unicode's control
// characters, line separators, and marks that change the text direction.
bool hasControlCharacters(std::string_view text);

// Whether the text can be shown as it is: UTF-8 without such characters.
bool isPlain(std::string_view text);

}  // namespace tileloom
