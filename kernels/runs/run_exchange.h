// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that come from elsewhere.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/runs/run_record.h"

namespace tileloom::runs {

struct Imported {
  std::vector<RunRecord> added;  // as they are kept
  std::size_t known = 0;         // were in the history already
  std::size_t broken = 0;        // lines that were skipped
  std::vector<std::string> complaints;
};

// Adds to `history` the runs of `file` that it does not have. They become recorded ones: whatever
// they were where they come from, here they are not live. A file without any run is an error: it
// was the wrong one. The error is one sentence without a full stop; what was added before it stays.
tl::expected<Imported, std::string> importRuns(const std::filesystem::path& history,
                                               const std::filesystem::path& file);

}  // namespace tileloom::runs
