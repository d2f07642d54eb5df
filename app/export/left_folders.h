// SPDX-License-Identifier: GPL-3.0-or-later
// What films leave behind whose process was killed.
#pragma once

#include <filesystem>

namespace tileloom {

// What stands in the temporary folder of a film: this with the film's suffix, or this folder with
// pictures.
inline constexpr const char* kFilmFile = "animation.";
inline constexpr const char* kFramesFolder = "frames";

// Removes the folders in `place` in which a film was written that never came to its end: folders of
// this user with a temporary name, in which nothing has changed for an hour and nothing stands but
// the above. All others stay as they are.
void removeLeftFolders(const std::filesystem::path& place);

}  // namespace tileloom
