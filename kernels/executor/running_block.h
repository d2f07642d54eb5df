// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a cluster while they execute. All of them are alive at once, and their warps take
// turns: the hardware starts the blocks of a cluster together.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/executor/warp.h"

namespace tileloom::executor {

class RunningBlock {
 public:
  // `around` without the arrivals, which the block has.
  explicit RunningBlock(const Surroundings& around);
  RunningBlock(const RunningBlock&) = delete;
  RunningBlock& operator=(const RunningBlock&) = delete;

  // Lets its barriers open at which all have arrived. True: one has opened.
  bool passBarriers();
  // Lets warps go on whose wgmma all warps of the warpgroup have issued. True: one goes on.
  bool passGroups();
  std::span<const std::unique_ptr<Warp>> warps() const { return warps_; }
  std::uint32_t number() const { return around_.blockNumber(); }  // in the grid

 private:
  Arrivals arrivals_;
  Surroundings around_;
  std::vector<std::unique_ptr<Warp>> warps_;
};

class RunningCluster {
 public:
  // What it executes: the blocks of a grid from `first` on.
  struct Of {
    const Launch* launch = nullptr;
    const Program* program = nullptr;
    std::vector<InstructionCount>* counts = nullptr;
    Observer* observer = nullptr;
    Extent3 first{}, size{1, 1, 1};
  };
  // A memory for each of its blocks, cleared; they must outlive it.
  RunningCluster(const Of& of, std::span<BlockMemory* const> memories);

  enum class State : std::uint8_t {
    Ended,
    Failed,
    OutOfBudget,
    Looks,  // its warps do nothing but look for what other clusters may write
  };
  // Executes until it ends, fails, or can only look; counts `budget` down.
  State run(std::uint64_t& budget);
  // One sentence that begins with the block: "block (1, 0, 0): …".
  const std::string& failure() const { return failure_; }
  std::uint64_t executed() const;  // instructions of warps

 private:
  // Each warp that can go on does so once.
  struct Pass {
    bool moved = false;     // a warp has executed something, or has ended
    bool onlyLooks = true;  // all that have moved have stood back for others
  };
  Pass pass(std::uint64_t& budget, bool late);
  bool passClusterBarrier();
  void fail(std::size_t block, const std::string& why);
  void failStuck();
  std::string placed(const Warp& warp, const std::string& why) const;

  Of of_;
  std::vector<BlockMemory*> memories_;
  std::uint64_t changes_ = 0;
  std::vector<std::unique_ptr<RunningBlock>> blocks_;
  std::vector<Extent3> positions_;
  std::string failure_;
};

}  // namespace tileloom::executor
