// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/left_folders.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/temporary_name.h"

namespace tileloom {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t kOld = 3600;  // seconds

// std::nullopt: not all of them are readable.
std::optional<std::vector<fs::path>> entriesOf(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    all.push_back(it->path());
  return error ? std::nullopt : std::optional(std::move(all));
}

// No folders of another user, and no links.
std::optional<struct stat> statOfOwn(const fs::path& path) {
  struct stat info = {};
  if (::lstat(path.c_str(), &info) != 0 || info.st_uid != ::geteuid()) return std::nullopt;
  return info;
}

bool isPicture(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("frame_") && name.ends_with(".png");
}

// What a film has left in this folder, from the inside to the outside; empty: some of it may not be
// a film's, or some of it is young.
std::vector<fs::path> leftIn(const fs::path& folder, std::time_t now) {
  std::vector<fs::path> left;
  const auto take = [&](const fs::path& path, mode_t kind) {
    const auto info = statOfOwn(path);
    if (!info || (info->st_mode & S_IFMT) != kind || now - info->st_mtime <= kOld) return false;
    left.push_back(path);
    return true;
  };
  const auto inside = entriesOf(folder);
  if (!inside) return {};
  for (const fs::path& path : *inside) {
    if (path.filename() == kFramesFolder) {
      if (const auto info = statOfOwn(path); !info || !S_ISDIR(info->st_mode)) return {};
      const auto frames = entriesOf(path);
      if (!frames) return {};
      for (const fs::path& frame : *frames) {
        if (!isPicture(frame) || !take(frame, S_IFREG)) return {};
      }
      if (!take(path, S_IFDIR)) return {};
    } else if (!path.filename().string().starts_with(kFilmFile) || !take(path, S_IFREG)) {
      return {};
    }
  }
  if (!take(folder, S_IFDIR)) return {};
  return left;
}

}  // namespace

void removeLeftFolders(const fs::path& place) {
  const auto all = entriesOf(place);
  if (!all) return;
  const std::time_t now = std::time(nullptr);
  for (const fs::path& folder : *all) {
    const auto info =
        isTemporaryName(folder.filename().string()) ? statOfOwn(folder) : std::nullopt;
    if (!info || !S_ISDIR(info->st_mode)) continue;
    for (const fs::path& path : leftIn(folder, now)) {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  }
}

}  // namespace tileloom
