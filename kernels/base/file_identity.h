// SPDX-License-Identifier: GPL-3.0-or-later
// Tells builds of a library apart that call themselves the same version.
#pragma once

#include <filesystem>
#include <string>

namespace tileloom {

// The size of the file and a hash of its beginning, where a build ID stands, its end, and parts
// spread between them: a compiler library has a hundred megabytes, and a process that compiles
// should not read all of them. Empty if it cannot be read.
std::string fileIdentity(const std::filesystem::path& file);

}  // namespace tileloom
