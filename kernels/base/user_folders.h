// SPDX-License-Identifier: GPL-3.0-or-later
// Where a user's files are, by the XDG base directory specification. A path from the environment
// counts only if it is absolute. The home folder is $HOME, or what the password database says. A
// user without either has no folders: each of these paths is then empty, and no place that others
// can foresee and prepare is used instead.
#pragma once

#include <filesystem>
#include <string_view>

namespace tileloom {

// Our file or folder of this name in $XDG_DATA_HOME or ~/.local/share: "runs.jsonl".
std::filesystem::path userDataFile(const std::filesystem::path& name);
// The same in $XDG_CACHE_HOME or ~/.cache.
std::filesystem::path userCacheFile(const std::filesystem::path& name);
// The same in $XDG_CONFIG_HOME or ~/.config.
std::filesystem::path userConfigFile(const std::filesystem::path& name);

// The error of saving something for a user without a folder.
inline constexpr std::string_view kNoUserFolder =
    "there is no home folder to keep this in: set HOME";

}  // namespace tileloom
