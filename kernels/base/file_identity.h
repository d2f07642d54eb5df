// SPDX-License-Identifier: GPL-3.0-or-later
// Distinguishes builds of a library that report the same version.
#pragma once

#include <filesystem>
#include <string>

namespace tileloom {

// The size of the file and a hash of its beginning, where the build ID is, its end, and parts
// spread between them: a compiler library has a hundred megabytes, and a process that compiles
// should not read all of them. Empty if it cannot be read.
std::string fileIdentity(const std::filesystem::path& file);

}  // namespace tileloom
