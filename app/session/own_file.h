// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel of the user from its file: machine code, how it is launched, and its source if it is at
// hand.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/own/own_kernel.h"

namespace tileloom {

// Whether a file with this name is opened as a kernel.
bool namesKernelFile(const std::filesystem::path& file);

// The files that a kernel is made from: its own, its launch file.
std::vector<std::string> filesOf(const own::OwnInput& input);

// The launch is that of FILE.launch.json beside the file; without one it is looked for
// (own/launch_search.h), which takes up to some seconds. `kernel`: a part of the kernel's name;
// empty: the one that the launch file names, or the only one. The error is one sentence without a
// full stop.
tl::expected<std::shared_ptr<const own::OwnKernel>, std::string> ownKernelFrom(
    const std::filesystem::path& file, std::string_view kernel = {});

}  // namespace tileloom
