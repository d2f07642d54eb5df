// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/run_store.h"

#include <fmt/format.h>
#include "kernels/base/plain_text.h"
#include "kernels/base/user_folders.h"

namespace tileloom::runs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 256 * 1024 * 1024;

// A line that cannot be read back must not be written.
tl::expected<std::string, std::string> readableLine(const RunRecord& record) {
  std::string line = toLine(record);
  if (const auto again = fromLine(line); !again) {
    return tl::unexpected(fmt::format("this run cannot be kept: {}", again.error()));
  }
  return line;
}

}  // namespace

fs::path defaultRunFile() {
  return userDataFile("runs.jsonl");
}

tl::expected<RunFile, std::string> readRuns(const fs::path& file, Absent absent) {
  const auto text = readText(file, kLargestFile, absent);
  if (!text) return tl::unexpected(text.error());
  return parseRuns(*text, quotableFile(file.filename()));
}

tl::expected<void, std::string> appendRun(const fs::path& file, const RunRecord& record) {
  const auto line = readableLine(record);
  if (!line) return tl::unexpected(line.error());
  return appendLine(file, *line);
}

tl::expected<void, std::string> appendRun(LineFile& file, const RunRecord& record) {
  const auto line = readableLine(record);
  return line ? file.add(*line) : tl::unexpected(line.error());
}

tl::expected<void, std::string> writeRuns(const fs::path& file, std::span<const RunRecord> runs) {
  for (const RunRecord& run : runs) {
    if (const auto line = readableLine(run); !line) return tl::unexpected(line.error());
  }
  return replaceText(file, compactText(runs));
}

}  // namespace tileloom::runs
