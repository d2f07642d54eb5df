// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch of a cubin's kernel costs: its machine code, executed on this computer.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/common/json.h"
#include "kernels/analysis/block_product.h"
#include "kernels/analysis/counts/machine_totals.h"
#include "kernels/emulator/fault.h"
#include "kernels/executor/block.h"
#include "kernels/executor/recorded/origins.h"

namespace tileloom::app {

struct LaunchQuery {
  const sass::Module* module = nullptr;
  const sass::KernelImage* kernel = nullptr;
  executor::Extent3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamicShared = 0;     // bytes
  std::vector<std::string> arguments;  // executor/arguments.h
  std::string file;                    // for sentences
  // Why no block is to be recorded, as one sentence; empty: one is, if its buffers have names of
  // matrices.
  std::string whyNotRecorded;
};

// What one block of the launch multiplies, by a recording of it.
struct BlockReport {
  std::string whyNot;  // one sentence without a full stop; empty: it has been recorded
  executor::recorded::Known known;
  analysis::BlockProduct product;
  std::uint32_t k = 0;  // elements of a row of A
};

struct LaunchReport {
  LaunchQuery query;
  std::vector<std::string> buffers;  // "A: f32 128 x 64, 32,768 bytes"
  executor::Executed executed;
  analysis::Totals totals;
  std::vector<analysis::MachineCost> costs;  // by instruction
  std::uint64_t local = 0, atomics = 0;      // instructions
  emulator::FaultLog faults;
  std::string whyNotJudged;                     // as BlockReport::whyNot, of shared memory
  BlockReport block;                            // of block (0, 0, 0)
  std::vector<executor::Buffer> before, after;  // the buffers of the launch
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
