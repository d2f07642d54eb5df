// SPDX-License-Identifier: GPL-3.0-or-later
// A file of resources/ as it was built into this executable (cmake/EmbedFiles.cmake).
#pragma once

#include <span>
#include <string_view>

namespace tileloom {

struct EmbeddedFile {
  std::string_view name;  // without its folder: "h100.jsonl"
  std::string_view text;
};

}  // namespace tileloom
