// SPDX-License-Identifier: GPL-3.0-or-later
// Removes what the killed process of a film has left behind.
#pragma once

#include <filesystem>

namespace tileloom {

// Contents of the temporary folder of a film: this with the film's suffix, or this folder with
// pictures.
inline constexpr const char* kFilmFile = "animation.";
inline constexpr const char* kFramesFolder = "frames";

// Removes the folders in `place` of films that were never finished: folders of this user with a
// temporary name, in which nothing has changed for an hour and which contain only the above. All
// others stay as they are.
void removeLeftFolders(const std::filesystem::path& place);

}  // namespace tileloom
