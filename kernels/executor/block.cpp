// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "kernels/base/plain_text.h"
#include "kernels/executor/translate.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

class Block {
 public:
  Block(const Launch& launch, const Program& program, BlockMemory& memory, const Extent3& position,
        std::vector<InstructionCount>& counts, Observer* observer)
      : launch_(launch),
        around_{&program, &memory,    launch.grid, launch.block,
                position, &arrivals_, &counts,     observer},
        threads_(launch.block[0] * launch.block[1] * launch.block[2]) {
    for (std::uint32_t i = 0; i < (threads_ + kLanes - 1) / kLanes; ++i)
      warps_.push_back(std::make_unique<Warp>(around_, i));
  }

  // Empty: all warps have ended.
  std::string run(std::uint64_t& budget, std::uint64_t& executed) {
    std::string why;
    for (bool moved = true; moved && why.empty();) {
      moved = false;
      for (const auto& warp : warps_) {
        if (warp->state() != Warp::State::Ready) continue;
        moved = true;
        // A warp that waits for another one to write memory must not wait for ever.
        constexpr std::uint64_t kSlice = 20'000;
        const std::uint64_t given = std::min(budget, kSlice);
        std::uint64_t left = given;
        const auto state = warp->run(left);
        budget -= given - left;
        if (state == Warp::State::Failed) why = placed(*warp);
        if (state == Warp::State::Ready && budget == 0)
          why = "the kernel does not end: it has executed all instructions that it may";
        if (!why.empty()) break;
      }
      if (why.empty() && passBarriers()) moved = true;
    }
    for (const auto& warp : warps_) executed += warp->executed();
    if (!why.empty()) return why;
    for (const auto& warp : warps_) {
      if (warp->state() != Warp::State::Done)
        return fmt::format("warp {} waits at barrier {} for ever: the other warps do not arrive",
                           warp->number(), warp->barrier());
    }
    return {};
  }

 private:
  // The failure of a warp, with its instruction: "at 0x1f0 (gemm.cu:12): …".
  std::string placed(const Warp& warp) const {
    const auto address = warp.present() * static_cast<std::uint32_t>(sass::kCodeWordBytes);
    const auto places = launch_.kernel->lines.at(address);
    std::string text = fmt::format("at {:#x}", address);
    if (!places.empty()) {
      const std::string_view file = places.front().file;
      const auto slash = file.rfind('/');
      text += fmt::format(" ({}:{})",
                          quotable(slash == std::string_view::npos ? file : file.substr(slash + 1)),
                          places.front().line);
    }
    return fmt::format("{}: {}", text, warp.failure());
  }
  // The barriers at which as many threads wait as they need.
  bool passBarriers() {
    bool passed = false;
    for (std::size_t barrier = 0; barrier < kBlockBarriers; ++barrier) {
      const auto waits = [barrier](const Warp& warp) {
        return warp.state() == Warp::State::AtBarrier &&
               warp.barrier() == static_cast<int>(barrier);
      };
      std::uint32_t& arrived = arrivals_.threads[barrier];
      std::uint32_t waiting = 0, wanted = arrived == 0 ? 0 : arrivals_.wanted[barrier];
      BarrierVote outcome;
      for (const auto& warp : warps_) {
        if (!waits(*warp)) continue;
        waiting += kLanes;  // a warp counts whole
        wanted = std::max(wanted, warp->barrierThreads());
        outcome.yes += warp->vote().yes;
        outcome.all = outcome.all && warp->vote().all;
      }
      if (waiting + arrived == 0) continue;
      if (wanted == 0) {
        for (const auto& warp : warps_)
          if (warp->state() != Warp::State::Done) wanted += kLanes;
      }
      if (waiting + arrived < wanted) continue;
      // What arrived once more has arrived for the next time.
      arrived = std::min(arrived, waiting + arrived - wanted);
      for (const auto& warp : warps_) {
        if (!waits(*warp)) continue;
        warp->pass(outcome);
        passed = true;
      }
    }
    return passed;
  }

  const Launch& launch_;
  Arrivals arrivals_;
  Surroundings around_;
  std::uint32_t threads_ = 0;
  std::vector<std::unique_ptr<Warp>> warps_;
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
  if (std::ranges::any_of(info.cluster, [](std::uint32_t blocks) { return blocks > 1; }))
    return "the kernel has clusters, which are not executed yet";
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
  if (!launch.kernel->relocations.empty())
    return "the kernel's code has relocations, which this program does not resolve yet";
  return {};
}

tl::expected<Executed, std::string> execute(const Launch& launch, std::span<Buffer> buffers,
                                            const Limits& limits, Observer* observer) {
  if (auto why = whyNot(launch); !why.empty()) return tl::unexpected(std::move(why));
  const Program program = translated(launch);
  BlockMemory memory(launch, buffers);
  Executed executed;
  executed.counts.resize(program.operations.size());
  std::uint64_t budget = limits.instructions;
  for (std::uint32_t z = 0; z < launch.grid[2]; ++z) {
    for (std::uint32_t y = 0; y < launch.grid[1]; ++y) {
      for (std::uint32_t x = 0; x < launch.grid[0]; ++x) {
        // What a block costs before its first instruction.
        const std::uint64_t setUp = 1 + memory.sharedBytes() / 4096;
        if (budget <= setUp)
          return tl::unexpected(
              fmt::format("block ({}, {}, {}): the launch has executed all instructions that it "
                          "may: choose a smaller grid",
                          x, y, z));
        budget -= setUp;
        memory.clearShared();
        const std::string why = Block(launch, program, memory, {x, y, z}, executed.counts, observer)
                                    .run(budget, executed.instructions);
        if (!why.empty())
          return tl::unexpected(fmt::format("block ({}, {}, {}): {}", x, y, z, why));
      }
    }
  }
  return executed;
}

}  // namespace tileloom::executor
