// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "kernels/executor/running_block.h"
#include "kernels/executor/translate.h"
#include "kernels/executor/variables.h"

namespace tileloom::executor {
namespace {

// Blocks of a cluster, along x, y and z; 1 each without one.
Extent3 clusterOf(const Launch& launch) {
  Extent3 size = launch.kernel->info.cluster;
  for (std::uint32_t& side : size) side = std::max(1u, side);
  return size;
}

// Executes clusters in the order of the grid, one after the other. Where one can only look for what
// another one may write, later ones execute beside it.
class Grid {
 public:
  Grid(const Launch& launch, std::span<Buffer> buffers, const Program& program, Executed& executed,
       Observer* observer)
      : buffers_(buffers),
        variables_(variablesOf(*launch.module)),
        of_{&launch, &program, &executed.counts, observer, {}, clusterOf(launch)},
        executed_(executed) {
    // A cluster that has the only block.
    if (launch.only)
      for (std::size_t axis = 0; axis < 3; ++axis)
        of_.first[axis] = (*launch.only)[axis] / of_.size[axis] * of_.size[axis];
  }

  // Empty: all blocks have ended.
  std::string run(std::uint64_t budget) {
    for (;;) {
      // The newest one that has something to do.
      const auto found = std::find_if(alive_.rbegin(), alive_.rend(),
                                      [](const Alive& each) { return !each.looks; });
      if (found == alive_.rend()) {
        if (!done_ && alive_.size() < most()) {
          if (auto why = begin(budget); !why.empty()) return why;
          continue;
        }
        if (alive_.empty()) return {};
        for (Alive& each : alive_) each.looks = false;
        continue;
      }
      Alive& its = *found;
      const std::uint64_t before = budget;
      const auto state = its.cluster->run(budget);
      switch (state) {
        case RunningCluster::State::Failed:
        case RunningCluster::State::OutOfBudget:
          executed_.instructions += its.cluster->executed();
          return its.cluster->failure();
        case RunningCluster::State::Looks:
          its.looks = true;
          // What it did before may be what others look for.
          if (before - budget > kFewInstructions) lookAgain(its);
          break;
        case RunningCluster::State::Ended:
          executed_.instructions += its.cluster->executed();
          lookAgain(its);
          for (auto& memory : its.memories) spare_.push_back(std::move(memory));
          alive_.erase(std::next(found).base());
          break;
      }
    }
  }

 private:
  struct Alive {
    std::vector<std::unique_ptr<BlockMemory>> memories;
    std::unique_ptr<RunningCluster> cluster;
    bool looks = false;
  };
  static constexpr std::uint64_t kFewInstructions = 1000;

  void lookAgain(const Alive& but) {
    for (Alive& each : alive_)
      if (&each != &but) each.looks = false;
  }
  // Clusters that are alive at once: a part of the memory of this computer.
  std::size_t most() const {
    constexpr std::size_t kMemory = std::size_t{1} << 29;
    const Launch& launch = *of_.launch;
    const std::size_t warps =
        (std::size_t{launch.block[0]} * launch.block[1] * launch.block[2] + kLanes - 1) / kLanes;
    const std::size_t block = warps * sizeof(Warp) +
                              static_cast<std::size_t>(launch.kernel->sharedBytes) +
                              launch.dynamicShared;
    const std::size_t blocks = std::size_t{of_.size[0]} * of_.size[1] * of_.size[2];
    return std::max<std::size_t>(1, kMemory / (block * blocks));
  }
  // Begins the next cluster of the grid.
  std::string begin(std::uint64_t& budget) {
    const Extent3& size = of_.size;
    const std::size_t blocks = std::size_t{size[0]} * size[1] * size[2];
    Alive alive;
    std::vector<BlockMemory*> all;
    for (std::size_t i = 0; i < blocks; ++i) {
      if (spare_.empty()) {
        alive.memories.push_back(std::make_unique<BlockMemory>(*of_.launch, buffers_, variables_));
      } else {
        alive.memories.push_back(std::move(spare_.back()));
        spare_.pop_back();
        alive.memories.back()->clearShared();
      }
      all.push_back(alive.memories.back().get());
      // What a block costs before its first instruction.
      const std::uint64_t setUp = 1 + all.back()->sharedBytes() / 4096;
      if (budget <= setUp)
        return fmt::format(
            "block ({}, {}, {}): the launch has executed all instructions that it may: choose a "
            "smaller grid",
            of_.first[0], of_.first[1], of_.first[2]);
      budget -= setUp;
    }
    alive.cluster = std::make_unique<RunningCluster>(of_, all);
    alive_.push_back(std::move(alive));
    // The place of the next one.
    done_ = true;
    if (of_.launch->only) return {};
    for (std::size_t axis = 0; axis < 3 && done_; ++axis) {
      of_.first[axis] += size[axis];
      done_ = of_.first[axis] >= of_.launch->grid[axis];
      if (done_) of_.first[axis] = 0;
    }
    return {};
  }

  std::span<Buffer> buffers_;
  std::vector<Buffer> variables_;  // of the module
  RunningCluster::Of of_;
  Executed& executed_;
  std::vector<std::unique_ptr<BlockMemory>> spare_;
  std::vector<Alive> alive_;
  bool done_ = false;  // all clusters have begun
};

}  // namespace

std::string whyNot(const Launch& launch) {
  if (launch.module == nullptr || launch.kernel == nullptr) return "there is no kernel";
  const sass::KernelInfo& info = launch.kernel->info;
  if (launch.parameters.size() != static_cast<std::size_t>(info.parameterBytes))
    return fmt::format("the kernel has {} bytes of parameters, but was given {}",
                       info.parameterBytes, launch.parameters.size());
  constexpr std::uint64_t kMostThreads = 1024;
  const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (threads == 0 || threads > kMostThreads)
    return fmt::format("a block has 1 to 1,024 threads, but not {}", threads);
  if (info.mostThreads[0] != 0 && threads > std::uint64_t{info.mostThreads[0]} *
                                                std::max(1u, info.mostThreads[1]) *
                                                std::max(1u, info.mostThreads[2]))
    return fmt::format(
        "the kernel was compiled for at most {} threads in a block, but was given {}",
        info.mostThreads[0], threads);
  const sass::Sizes& required = info.requiredThreads;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (required[0] != 0 && std::max(1u, required[axis]) != launch.block[axis])
      return fmt::format("the kernel was compiled for blocks of {} x {} x {} threads", required[0],
                         std::max(1u, required[1]), std::max(1u, required[2]));
  const Extent3 cluster = clusterOf(launch);
  const std::uint64_t clusterBlocks = std::uint64_t{cluster[0]} * cluster[1] * cluster[2];
  // Each is at most 16, so that the product is of the three.
  if (std::ranges::any_of(cluster, [](auto side) { return side > kMostClusterBlocks; }) ||
      clusterBlocks > kMostClusterBlocks)
    return fmt::format(
        "the kernel was compiled for clusters of {} x {} x {} blocks: a cluster has "
        "at most 16",
        cluster[0], cluster[1], cluster[2]);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (launch.grid[axis] % cluster[axis] != 0)
      return fmt::format(
          "the grid has {} x {} x {} blocks, which is not a multiple of the cluster of {} x {} x "
          "{}",
          launch.grid[0], launch.grid[1], launch.grid[2], cluster[0], cluster[1], cluster[2]);
  for (const TensorMap& map : launch.tensorMaps)
    if (std::string why = whyNot(map); !why.empty()) return why;
  constexpr std::uint32_t kMostDown = 65535, kMostDeep = 64;
  if (launch.grid[1] > kMostDown || launch.grid[2] > kMostDown)
    return fmt::format("a grid has at most {} blocks along y and z", kMostDown);
  if (launch.block[2] > kMostDeep)
    return fmt::format("a block has at most {} threads along z", kMostDeep);
  constexpr std::size_t kMostInstructions = 1'000'000;
  if (launch.kernel->words.size() > kMostInstructions)
    return fmt::format("the kernel has {} instructions: the maximum is {}",
                       launch.kernel->words.size(), kMostInstructions);
  const std::uint64_t shared =
      static_cast<std::uint64_t>(launch.kernel->sharedBytes) + launch.dynamicShared;
  if (shared > kMostShared)
    return fmt::format("a block would have {} bytes of shared memory: the maximum is {}", shared,
                       kMostShared);
  if (launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0)
    return "the grid has no block";
  if (launch.only) {
    const Extent3& block = *launch.only;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (block[axis] >= launch.grid[axis])
        return fmt::format("block ({}, {}, {}) is outside the grid of {} x {} x {} blocks",
                           block[0], block[1], block[2], launch.grid[0], launch.grid[1],
                           launch.grid[2]);
  }
  if (!launch.kernel->relocations.empty())
    return "the kernel's code has relocations, which this program does not resolve yet: compile "
           "without -rdc=true";
  const std::uint64_t variables = launch.module->globalBytes + launch.module->globals.size();
  if (variables > kMostVariableBytes)
    return fmt::format("the module has {} bytes of variables: the maximum is 1 GiB", variables);
  return {};
}

tl::expected<Executed, std::string> execute(const Launch& launch, std::span<Buffer> buffers,
                                            const Limits& limits, Observer* observer) {
  if (auto why = whyNot(launch); !why.empty()) return tl::unexpected(std::move(why));
  const Program program = translated(launch);
  Executed executed;
  executed.counts.resize(program.operations.size());
  if (std::string why = Grid(launch, buffers, program, executed, observer).run(limits.instructions);
      !why.empty())
    return tl::unexpected(std::move(why));
  return executed;
}

}  // namespace tileloom::executor
