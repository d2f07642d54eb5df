// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/user_folders.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace tileloom {
namespace {

namespace fs = std::filesystem;

fs::path pathFrom(const char* variable) {
  const char* value = std::getenv(variable);
  fs::path path = value != nullptr ? value : "";
  return path.is_absolute() ? path : fs::path();
}

fs::path home() {
  if (fs::path path = pathFrom("HOME"); !path.empty()) return path;
  const passwd* user = ::getpwuid(::getuid());
  if (user != nullptr && user->pw_dir != nullptr && user->pw_dir[0] == '/') return user->pw_dir;
  return {};
}

fs::path ours(const char* variable, const char* inHome, const fs::path& name) {
  fs::path folder = pathFrom(variable);
  if (folder.empty()) {
    folder = home();
    if (folder.empty()) return {};
    folder /= inHome;
  }
  return folder / "tileloom" / name;
}

}  // namespace

fs::path userDataFile(const fs::path& name) {
  return ours("XDG_DATA_HOME", ".local/share", name);
}

fs::path userCacheFile(const fs::path& name) {
  return ours("XDG_CACHE_HOME", ".cache", name);
}

fs::path userConfigFile(const fs::path& name) {
  return ours("XDG_CONFIG_HOME", ".config", name);
}

}  // namespace tileloom
