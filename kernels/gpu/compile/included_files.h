// SPDX-License-Identifier: GPL-3.0-or-later
// The headers of a user's source that are not the compiler's own: with them, a result can be kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tileloom::gpu {

// A hash of all files that the text of `file` includes from its folder and from `folders`, and that
// those include. Conditions are not looked at: a file that is included under a condition counts.
// std::nullopt: it cannot be said which ones they are (the name is a macro), or they are too many.
std::optional<std::uint64_t> hashOfIncluded(std::string_view text,
                                            const std::filesystem::path& file,
                                            std::span<const std::string> folders);

}  // namespace tileloom::gpu
