// SPDX-License-Identifier: GPL-3.0-or-later
// Small text files that several processes read and write at the same time. Every error is one
// sentence without a full stop that names the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

// The whole text; a file that is not there is empty. More than `most` bytes are refused.
tl::expected<std::string, std::string> readText(const std::filesystem::path& file,
                                                std::size_t most);

// Adds the line and a newline with one write at the end of the file, which is made if it is not
// there, with its folder. If the last line has no newline, it gets one in the same write.
tl::expected<void, std::string> appendLine(const std::filesystem::path& file,
                                           std::string_view line);

// Makes the file hold this text: whoever reads it meanwhile sees the old one or the new one, whole.
tl::expected<void, std::string> replaceText(const std::filesystem::path& file,
                                            std::string_view text);

}  // namespace tileloom
