// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/tool_places.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace tileloom::sass {

namespace fs = std::filesystem;

std::vector<fs::path> toolFolders() {
  std::vector<fs::path> all;
  if (const char* path = std::getenv("PATH"); path != nullptr) {
    const std::string_view list = path;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      if (end > begin) all.emplace_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') all.push_back(fs::path(value) / "bin");
  }
  all.emplace_back("/usr/local/cuda/bin");
  all.emplace_back("/opt/cuda/bin");
  return all;
}

bool isProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> toolNamed(const std::string& name) {
  for (const fs::path& folder : toolFolders())
    if (isProgram(folder / name)) return folder / name;
  return std::nullopt;
}

}  // namespace tileloom::sass
