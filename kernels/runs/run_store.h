// SPDX-License-Identifier: GPL-3.0-or-later
// Run records in files: the person's own history, and what others have sent.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/runs/run_record.h"

namespace tileloom::runs {

inline constexpr std::string_view kRunsSchema = "tileloom.runs/1";  // of a "common" line

struct RunFile {
  std::vector<RunRecord> runs;
  // "runs.jsonl, line 7: "gflops" is missing", one for each broken line; of very many, the first
  // ones and how many more there are.
  std::vector<std::string> complaints;
  std::size_t broken = 0;  // lines that were skipped
};

// $XDG_DATA_HOME/tileloom/runs.jsonl, or ~/.local/share/tileloom/runs.jsonl.
std::filesystem::path defaultRunFile();

// Reads one record a line. A broken line is complained about and skipped; a file that is not there
// is empty. Lines that leave out fields take them from the latest line {"schema":
// "tileloom.runs/1", "common": {…}} before them (how recordings are kept compact). Text is parsed
// by parseRuns; the error is that the file cannot be read at all.
tl::expected<RunFile, std::string> readRuns(const std::filesystem::path& file);
RunFile parseRuns(std::string_view text, std::string_view nameOfText);

// Adds one line with a single write to a file opened for appending, so that several processes can
// share the file; makes the folder. A file whose last line was cut off gets a newline first.
tl::expected<void, std::string> appendRun(const std::filesystem::path& file,
                                          const RunRecord& record);

// All records, compactly: sorted by device, stage, size and time, with the fields that neighbours
// share in a "common" line before them. parseRuns gives the same records.
std::string compactText(std::span<const RunRecord> runs);

// compactText as a file: written to a temporary one beside it, which is then renamed.
tl::expected<void, std::string> writeRuns(const std::filesystem::path& file,
                                          std::span<const RunRecord> runs);

}  // namespace tileloom::runs
