// SPDX-License-Identifier: GPL-3.0-or-later
// Imports runs that were measured elsewhere.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/runs/run_store.h"

namespace tileloom::runs {

struct Imported {
  std::vector<RunRecord> added;  // as they were added to the history
  std::size_t known = 0;         // were in the history already
  std::size_t broken = 0;        // lines that were skipped
  std::vector<std::string> complaints;
};

// The runs of a file that the user has named: it must exist and contain a run. The error is one
// sentence without a full stop.
tl::expected<RunFile, std::string> givenRuns(const std::filesystem::path& file);

// Adds to `history` the runs of `file` that it does not have. Their origin becomes Recorded,
// because they are not live on this machine, whatever they were elsewhere. A file without any run
// is an error, because it must be the wrong file. The error is one sentence without a full stop;
// runs that were added before the error stay.
tl::expected<Imported, std::string> importRuns(const std::filesystem::path& history,
                                               const std::filesystem::path& file);

}  // namespace tileloom::runs
