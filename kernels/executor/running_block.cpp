// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/running_block.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/plain_text.h"
#include "kernels/executor/stuck.h"

namespace tileloom::executor {

RunningBlock::RunningBlock(const Surroundings& around) : around_(around) {
  around_.arrivals = &arrivals_;
  const std::uint32_t threads = around.block[0] * around.block[1] * around.block[2];
  for (std::uint32_t i = 0; i < (threads + kLanes - 1) / kLanes; ++i)
    warps_.push_back(std::make_unique<Warp>(around_, i));
}

bool RunningBlock::passGroups() {
  constexpr std::size_t kWarps = 4;  // of a warpgroup
  bool passed = false;
  for (std::size_t first = 0; first < warps_.size(); first += kWarps) {
    const auto group = std::span(warps_).subspan(first, std::min(kWarps, warps_.size() - first));
    for (const auto& warp : group) {
      if (warp->state() != Warp::State::AtGroup) continue;
      const bool all = std::ranges::all_of(group, [&](const auto& each) {
        return each->state() == Warp::State::Done || each->productGroups() >= warp->wantedGroups();
      });
      if (!all) continue;
      warp->passGroup();
      passed = true;
    }
  }
  return passed;
}

bool RunningBlock::passBarriers() {
  bool passed = false;
  for (std::size_t barrier = 0; barrier < kBlockBarriers; ++barrier) {
    const auto waits = [barrier](const Warp& warp) {
      return warp.state() == Warp::State::AtBarrier && warp.barrier() == static_cast<int>(barrier);
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
    if (around_.observer != nullptr)
      around_.observer->passed(around_.blockNumber(), static_cast<std::uint32_t>(barrier));
    for (const auto& warp : warps_) {
      if (!waits(*warp)) continue;
      warp->pass(outcome);
      passed = true;
    }
  }
  return passed;
}

RunningCluster::RunningCluster(const Of& of, std::span<BlockMemory* const> memories)
    : of_(of), memories_(memories.begin(), memories.end()) {
  for (std::size_t rank = 0; rank < memories_.size(); ++rank) {
    memories_[rank]->join(memories_, static_cast<std::uint32_t>(rank));
    Extent3 at = of.first;
    auto rest = static_cast<std::uint32_t>(rank);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at[axis] += rest % of.size[axis];
      rest /= of.size[axis];
    }
    positions_.push_back(at);
    Surroundings around{};
    around.program = of.program;
    around.memory = memories_[rank];
    around.grid = of.launch->grid;
    around.block = of.launch->block;
    around.position = at;
    around.counts = of.counts;
    around.observer = of.observer;
    around.followed = of.observer != nullptr && of.observer->follows();
    around.changes = &changes_;
    blocks_.push_back(std::make_unique<RunningBlock>(around));
    if (of.observer != nullptr)
      of.observer->begin({around.blockNumber(), at, static_cast<std::uint32_t>(rank),
                          static_cast<std::uint32_t>(blocks_.back()->warps().size()),
                          memories_[rank]->sharedBytes()});
  }
}

std::uint64_t RunningCluster::executed() const {
  std::uint64_t all = 0;
  for (const auto& block : blocks_)
    for (const auto& warp : block->warps()) all += warp->executed();
  return all;
}

// With the instruction: "at 0x1f0 (gemm.cu:12): …".
std::string RunningCluster::placed(const Warp& warp, const std::string& why) const {
  const auto address = warp.present() * static_cast<std::uint32_t>(sass::kCodeWordBytes);
  const auto places = of_.launch->kernel->lines.at(address);
  std::string text = fmt::format("at {:#x}", address);
  if (!places.empty()) {
    const std::string_view file = places.front().file;
    const auto slash = file.rfind('/');
    text += fmt::format(" ({}:{})",
                        quotable(slash == std::string_view::npos ? file : file.substr(slash + 1)),
                        places.front().line);
  }
  return fmt::format("{}: {}", text, why);
}

void RunningCluster::fail(std::size_t block, const std::string& why) {
  const Extent3& at = positions_[block];
  failure_ = fmt::format("block ({}, {}, {}): {}", at[0], at[1], at[2], why);
}

RunningCluster::Pass RunningCluster::pass(std::uint64_t& budget, bool late) {
  Pass done;
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    for (const auto& warp : blocks_[block]->warps()) {
      const Warp::State before = warp->state();
      if (before != Warp::State::Ready && before != Warp::State::AtObject) continue;
      // A warp that waits for another one to write memory must not wait for ever.
      constexpr std::uint64_t kSlice = 20'000;
      const std::uint64_t given = std::min(budget, kSlice), executed = warp->executed();
      std::uint64_t left = given;
      const Warp::State after = late ? warp->runLate(left) : warp->run(left);
      budget -= given - left;
      const bool moved = warp->executed() != executed || after != before;
      done.moved = done.moved || moved;
      if (moved && !warp->stoodBack()) done.onlyLooks = false;
      if (after == Warp::State::Failed) {
        fail(block, placed(*warp, warp->failure()));
        return done;
      }
      if (after == Warp::State::Ready && budget == 0) {
        fail(block, "the kernel does not end: it has executed all instructions that it may");
        return done;
      }
    }
    const bool groups = blocks_[block]->passGroups();
    if (blocks_[block]->passBarriers() || groups) {
      done = {true, false};
      ++changes_;
    }
  }
  if (passClusterBarrier()) {
    done = {true, false};
    ++changes_;
  }
  return done;
}

// A warp goes on when all warps that have not ended have arrived as often.
bool RunningCluster::passClusterBarrier() {
  std::uint64_t least = UINT64_MAX;
  for (const auto& block : blocks_)
    for (const auto& warp : block->warps())
      if (warp->state() != Warp::State::Done) least = std::min(least, warp->clusterArrivals());
  bool passed = false;
  for (const auto& block : blocks_) {
    for (const auto& warp : block->warps()) {
      if (warp->state() != Warp::State::AtCluster || warp->clusterArrivals() > least) continue;
      warp->passCluster();
      passed = true;
      if (of_.observer != nullptr)
        of_.observer->seeMeeting({{warp->around().blockNumber(), warp->around().memory->rank(),
                                   warp->number(), warp->present()},
                                  ClusterAction::WaitEnd});
    }
  }
  return passed;
}

// No warp can go on: which one waits for what.
void RunningCluster::failStuck() {
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const auto warps = blocks_[block]->warps();
    for (const auto& warp : warps) {
      const std::string why = waitText(*warp, warps, *memories_[block]);
      if (!why.empty()) return fail(block, placed(*warp, why + othersText(*warp, warps)));
    }
  }
}

RunningCluster::State RunningCluster::run(std::uint64_t& budget) {
  // A wait of an mbarrier that finds nothing else to do ends late, as in the hardware. When that
  // has no consequence, no warp will ever go on.
  constexpr int kMostLate = 3;
  int late = 0;
  std::uint64_t changed = changes_;
  for (;;) {
    const Pass done = pass(budget, late > 0);
    if (!failure_.empty()) return budget == 0 ? State::OutOfBudget : State::Failed;
    bool ended = true, canGoOn = false;
    for (const auto& block : blocks_) {
      for (const auto& warp : block->warps()) {
        ended = ended && warp->state() == Warp::State::Done;
        canGoOn = canGoOn || warp->state() == Warp::State::Ready;
      }
    }
    if (ended) {
      for (const auto& block : blocks_)
        if (of_.observer != nullptr) of_.observer->end(block->number());
      return State::Ended;
    }
    if (changes_ != changed) late = 0;
    changed = changes_;
    // A wait that has ended late looks once more.
    const bool looksLate = late > 0 && done.onlyLooks;
    if (canGoOn && !looksLate) {
      if (done.onlyLooks) return State::Looks;
      continue;
    }
    if (done.moved && late == 0) continue;
    if (++late <= kMostLate || canGoOn) continue;
    failStuck();
    return State::Failed;
  }
}

}  // namespace tileloom::executor
