// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom fidelity --launches FILE`.
#pragma once

#include <string>

#include "app/commands/common/measuring.h"
#include "app/commands/common/outcome.h"

namespace tileloom::app {

struct LaunchesOptions {
  std::string file;
  std::string seed;  // empty: the default
  GpuOptions gpu;
  bool noDevice = false;
  bool json = false;
};

// Executes the launches of the list and compares all their buffers with a GPU.
void compareLaunches(const LaunchesOptions& options, Outcome& outcome);

}  // namespace tileloom::app
