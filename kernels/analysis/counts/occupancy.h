// SPDX-License-Identifier: GPL-3.0-or-later
// The number of blocks that an SM holds at once, and the limit that prevents one more. Formulas:
// CUDA's cuda_occupancy.h, which the tests use as an oracle.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tile/architecture.h"

namespace tileloom::analysis {

struct BlockNeeds {
  int threads = 0;
  int registers = 0;    // per thread
  int sharedBytes = 0;  // per block, static and dynamic, without the driver's part
};

enum class Resource { Warps, Blocks, Registers, SharedMemory };
std::string_view name(Resource resource);

struct Occupancy {
  int blocks = 0;                  // per SM
  int warps = 0;                   // per SM
  int mostWarps = 0;               // that the SM could hold
  std::array<int, 4> blocksBy{};   // the blocks that each Resource alone allows; INT_MAX: no limit
  std::vector<Resource> limiting;  // those that allow the fewest

  double fraction() const { return mostWarps > 0 ? double(warps) / double(mostWarps) : 0.0; }

  // What has to be smaller for one more block to fit, all of these together and none without need:
  // the largest value of each that does. All are empty where no saving makes room, such as where
  // the slots for blocks limit, too.
  std::optional<int> threadsForOneMore;      // per block
  std::optional<int> registersForOneMore;    // per thread
  std::optional<int> sharedBytesForOneMore;  // per block
  bool roomForOneMore() const {
    return threadsForOneMore || registersForOneMore || sharedBytesForOneMore;
  }
};

// A negative or zero thread count, more registers than a thread may have, or a block that cannot
// run at all gives zero blocks.
Occupancy occupancy(const Architecture& arch, const BlockNeeds& needs);

// The most registers per thread with which the same number of these blocks fits on an SM.
int mostRegisters(const Architecture& arch, BlockNeeds needs);

// "limited by registers: a fourth block would fit with 128 registers per thread (now 168)", with
// "and" where several must change together; where not even one fits, each way to make one fit.
std::string nextStep(const Occupancy& occupancy, const BlockNeeds& needs);

}  // namespace tileloom::analysis
