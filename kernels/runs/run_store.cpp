// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/run_store.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "kernels/base/text_file.h"

namespace tileloom::runs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 256 * 1024 * 1024;

// A path from the environment counts only if it is absolute, as the XDG specification has it.
fs::path pathFrom(const char* variable) {
  const char* value = std::getenv(variable);
  fs::path path = value != nullptr ? value : "";
  return path.is_absolute() ? path : fs::path();
}

fs::path home() {
  if (fs::path path = pathFrom("HOME"); !path.empty()) return path;
  const passwd* user = ::getpwuid(::getuid());
  if (user != nullptr && user->pw_dir != nullptr && user->pw_dir[0] == '/') return user->pw_dir;
  std::error_code none;
  return fs::temp_directory_path(none);
}

// What cannot be read back must not be written: it would only be found broken later.
tl::expected<std::string, std::string> readableLine(const RunRecord& record) {
  std::string line = toLine(record);
  if (const auto again = fromLine(line); !again) {
    return tl::unexpected(fmt::format("this run cannot be kept: {}", again.error()));
  }
  return line;
}

}  // namespace

fs::path defaultRunFile() {
  const fs::path data = pathFrom("XDG_DATA_HOME");
  return (data.empty() ? home() / ".local" / "share" : data) / "tileloom" / "runs.jsonl";
}

tl::expected<RunFile, std::string> readRuns(const fs::path& file) {
  const auto text = readText(file, kLargestFile);
  if (!text) return tl::unexpected(text.error());
  return parseRuns(*text, file.filename().string());
}

tl::expected<void, std::string> appendRun(const fs::path& file, const RunRecord& record) {
  const auto line = readableLine(record);
  if (!line) return tl::unexpected(line.error());
  return appendLine(file, *line);
}

tl::expected<void, std::string> writeRuns(const fs::path& file, std::span<const RunRecord> runs) {
  for (const RunRecord& run : runs) {
    if (const auto line = readableLine(run); !line) return tl::unexpected(line.error());
  }
  return replaceText(file, compactText(runs));
}

}  // namespace tileloom::runs
