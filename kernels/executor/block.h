// SPDX-License-Identifier: GPL-3.0-or-later
// Executes the blocks of a launch on machine code: one after the other, those of a cluster
// together.
//
//   std::vector<Buffer> buffers = …;
//   placeBuffers(buffers);              // then write their addresses into launch.parameters
//   const auto ended = execute(launch, buffers);
//   if (!ended) …                       // one sentence: which instruction or thread, and why
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/executor/launch.h"
#include "kernels/executor/observer.h"

namespace tileloom::executor {

struct Limits {
  std::uint64_t instructions = 1'000'000'000;  // of warps, in all blocks together
};

struct Executed {
  std::uint64_t instructions = 0;        // of warps
  std::vector<InstructionCount> counts;  // by the number of the instruction in the kernel
};

// Executes all blocks of the grid. `observer` may be nullptr.
tl::expected<Executed, std::string> execute(const Launch& launch, std::span<Buffer> buffers,
                                            const Limits& limits = {},
                                            Observer* observer = nullptr);

// Why a launch cannot be executed, as one sentence; empty: it can.
std::string whyNot(const Launch& launch);

}  // namespace tileloom::executor
