// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch of a cubin's kernel costs: its machine code, executed on this computer.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/common/json.h"
#include "kernels/analysis/counts/machine_totals.h"
#include "kernels/executor/block.h"

namespace tileloom::app {

struct LaunchQuery {
  const sass::Module* module = nullptr;
  const sass::KernelImage* kernel = nullptr;
  executor::Extent3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamicShared = 0;     // bytes
  std::vector<std::string> arguments;  // executor/arguments.h
};

struct LaunchReport {
  LaunchQuery query;
  std::vector<std::string> buffers;  // "A: f32 128 x 64, 32,768 bytes"
  executor::Executed executed;
  analysis::Totals totals;
  std::vector<analysis::MachineCost> costs;  // by instruction
  std::uint64_t local = 0, atomics = 0;      // instructions
};

// Executes the launch. The error is one sentence without a full stop: an argument, a limit, or what
// the kernel does wrong, with block, instruction and thread.
tl::expected<LaunchReport, std::string> launchReport(const LaunchQuery& query);

std::string launchText(const LaunchReport& report);
Json launchJson(const LaunchReport& report);

// "X", "X,Y" or "X,Y,Z". The error names the option.
tl::expected<executor::Extent3, std::string> parseExtent(const std::string& option,
                                                         const std::string& text);

}  // namespace tileloom::app
