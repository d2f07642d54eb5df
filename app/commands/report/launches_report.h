// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of cubins that a list names (kernels/executor/launch_list.h): executed on this computer,
// and compared with a GPU bit by bit.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/common/json.h"
#include "kernels/base/error.h"
#include "kernels/executor/launch_list.h"
#include "kernels/gpu/executed/same_launch.h"

namespace tileloom::app {

struct LaunchRow {
  std::string name;
  std::string whyNot;                    // empty: it was executed
  std::string whyNotRun;                 // empty: it was run on the GPU, or there is none
  std::uint64_t instructions = 0;        // of warps
  std::uint64_t elements = 0;            // of all buffers
  bool compared = false;                 // with a GPU
  std::uint64_t different = 0;           // elements, in any bit
  std::vector<std::string> differences;  // "buffer C, element 7 is 3f800000, executed 3f800001"
};

struct LaunchesQuery {
  std::string file;                       // of the list
  unsigned seed = 0;                      // of random buffers
  const gpu::Context* context = nullptr;  // nullptr: only executed
  std::chrono::milliseconds limit{30'000};
};

struct LaunchesReport {
  std::vector<LaunchRow> rows;
  std::string device;  // empty: only executed

  std::size_t executed() const;
  std::size_t compared() const;
  std::uint64_t different() const;
};

// The list of this file. The error is one sentence without a full stop.
tl::expected<std::vector<executor::ListedLaunch>, std::string> launchesIn(const std::string& file);

// Executes all launches. One that cannot be executed is not run on the GPU. The error is one after
// which the process cannot use the GPU any more.
Result<LaunchesReport> launchesReport(const LaunchesQuery& query,
                                      const std::vector<executor::ListedLaunch>& list);

std::string launchesText(const LaunchesReport& report);
Json launchesJson(const LaunchesReport& report);

}  // namespace tileloom::app
