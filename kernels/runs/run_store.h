// SPDX-License-Identifier: GPL-3.0-or-later
// Run records in files: the user's own history, and runs from elsewhere.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/text_file.h"
#include "kernels/runs/run_record.h"

namespace tileloom::runs {

inline constexpr std::string_view kRunsSchema = "tileloom.runs/1";  // of a "common" line

struct RunFile {
  std::vector<RunRecord> runs;
  // One sentence per broken line: "runs.jsonl, line 7: "gflops" is missing". Of very many only the
  // first ones are kept, with the number of the others.
  std::vector<std::string> complaints;
  std::size_t broken = 0;  // lines that were skipped
};

// $XDG_DATA_HOME/tileloom/runs.jsonl, or ~/.local/share/tileloom/runs.jsonl; empty for a user
// without a home folder.
std::filesystem::path defaultRunFile();

// Reads one record per line. A broken line is skipped and gets a complaint; a file that does not
// exist counts as empty unless that is an error. Fields that a line leaves out are taken from the
// latest line {"schema": "tileloom.runs/1", "common": {…}} before it, which keeps recordings
// compact. The text is parsed by parseRuns; the only error is that the file cannot be read.
tl::expected<RunFile, std::string> readRuns(const std::filesystem::path& file,
                                            Absent absent = Absent::IsEmpty);
RunFile parseRuns(std::string_view text, std::string_view nameOfText);

// Adds one line with a single write to a file opened for appending, so that several processes can
// share the file. Creates the folder if needed. If the last line of the file was cut off, a newline
// is written first.
tl::expected<void, std::string> appendRun(const std::filesystem::path& file,
                                          const RunRecord& record);
tl::expected<void, std::string> appendRun(LineFile& file, const RunRecord& record);

// All records in compact form: sorted by device, stage, size and time, with the fields that
// neighbours share in a "common" line before them. parseRuns reads the same records from it.
std::string compactText(std::span<const RunRecord> runs);

// Writes compactText to a temporary file beside `file` and then renames that.
tl::expected<void, std::string> writeRuns(const std::filesystem::path& file,
                                          std::span<const RunRecord> runs);

}  // namespace tileloom::runs
