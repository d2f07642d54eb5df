// SPDX-License-Identifier: GPL-3.0-or-later
// The cubins of a file or of a folder, such as Triton's cache.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace tileloom::gpu {

inline constexpr std::size_t kMostCubinFile = std::size_t{1} << 30;  // bytes of a file

struct FoundCubin {
  std::string file;    // its name in the folder; empty: of a file
  int capability = 0;  // 90 for compute capability 9.0
  std::vector<char> cubin;
};

// At least one, all of this compute capability (0: of any), and not more than 1 GiB. `name` is that
// of the file, for messages. The error is one sentence without a full stop.
tl::expected<std::vector<FoundCubin>, std::string> cubinsOfBytes(std::string_view bytes,
                                                                 const std::string& name,
                                                                 int capability);
// Whether a cubin has code. One that cannot be read counts as well: readModule() says why.
bool hasKernel(std::span<const char> cubin);

// The same of a file that is to be one cubin; whether it can be read is not checked.
tl::expected<std::vector<FoundCubin>, std::string> cubinOf(std::string_view bytes,
                                                           const std::string& name, int capability);
// The same of the files with the ending .cubin in this folder and in its folders.
tl::expected<std::vector<FoundCubin>, std::string> cubinsOfFolder(
    const std::filesystem::path& folder, int capability);

}  // namespace tileloom::gpu
