// SPDX-License-Identifier: GPL-3.0-or-later
// Where NVIDIA's tools are: in the PATH, or in the usual folders of toolkits.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tileloom::sass {

// Folders with programs, best first.
std::vector<std::filesystem::path> toolFolders();
// Whether it is a file that can be started.
bool isProgram(const std::filesystem::path& path);
// The first program of this name, such as "nvcc".
std::optional<std::filesystem::path> toolNamed(const std::string& name);

}  // namespace tileloom::sass
