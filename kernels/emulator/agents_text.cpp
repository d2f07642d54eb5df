// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences about faults of agents: which threads wait for what, what is missing, and what
// could still supply it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"

namespace tileloom::emulator {
namespace {

std::string lanesText(std::uint32_t lanes) {
  const int first = std::countr_zero(lanes), count = std::popcount(lanes);
  return count == 1 ? fmt::format("lane {} has", first)
                    : fmt::format("{} lanes from {} on have", count, first);
}

std::string timesText(std::uint32_t times) {
  return times == 1 ? "once" : fmt::format("{} times", times);
}

// "the box of A at row 0 and column 32 (line 41)"
std::string nameOf(const BoxRecord& box, const std::vector<Array>& arrays) {
  return fmt::format("the box of {} at row {} and column {} (line {})", arrays[box.matrix].name,
                     box.y, box.x, box.line);
}

// In the order of Agents::Word.
constexpr const char* kWordNames[] = {"fence_products", "commit_products", "wait_products",
                                      "keep_registers", "take_registers",  "meet_cluster"};

}  // namespace

std::string Agents::barrierText(std::uint32_t number) const {
  return fmt::format("{}[{}]", records_[number].name, records_[number].index);
}

std::string Agents::threadText(std::uint32_t who) const {
  const std::uint32_t threads = block_.threads(), rank = who / threads;
  return rank == rank_ ? fmt::format("thread {}", who % threads)
                       : fmt::format("thread {} of the block with rank {}", who % threads, rank);
}

// The box that has brought the word with this stamp, and what to wait for.
std::string Agents::boxText(std::uint32_t written, std::uint32_t array, std::int64_t index) const {
  const std::uint32_t number = Component::of(written) - barrierComponent(0);
  const std::uint32_t phase = (written >> kThreadBits) - 1;
  const auto its = std::ranges::find_if(boxes_.rbegin(), boxes_.rend(), [&](const BoxRecord& box) {
    return box.barrier == number && box.phase == phase && box.array == array &&
           index >= box.index && index < std::int64_t{box.index} + box.columns * box.rows;
  });
  return fmt::format("{}, and has not waited for phase {} of {}",
                     its != boxes_.rend() ? nameOf(*its, block_.arrays_) : "a box", phase,
                     barrierText(number));
}

// "which warp 1 multiplies in line 48", and why it may not be complete.
std::string Agents::groupText(std::uint32_t warp, std::uint32_t group) const {
  const auto its = std::ranges::find(products_[warp], group, &ProductRecord::group);
  return fmt::format(
      "which warp {} multiplies in line {}: for this thread, group {} of these wgmma instructions "
      "is still in flight",
      warp, its != products_[warp].end() ? its->line : 0, group);
}

// "2 TMA loads bring 16384: the box of A …"
std::string Agents::boxesText(std::uint32_t barrier, std::uint32_t phase) const {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names;
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (const BoxRecord& box : boxes_) {
    if (box.barrier != barrier || box.phase != phase) continue;
    bytes += box.bytes;
    if (++count <= kNamed) names.push_back(nameOf(box, block_.arrays_));
  }
  if (count == 0) return "no TMA load brings any";
  if (count > kNamed) names.push_back(fmt::format("{} more", count - kNamed));
  return fmt::format("{} bring{} {}: {}",
                     count == 1 ? "1 TMA load" : fmt::format("{} TMA loads", count),
                     count == 1 ? "s" : "", bytes, fmt::join(names, ", "));
}

// "it lacks 1 of 1 arrival, and thread 0, which arrived last (line 40), waits, too"
std::string Agents::owing(std::uint32_t number) const {
  const Barrier& barrier = barriers_[number];
  std::string text;
  if (barrier.pending > 0) {
    text = fmt::format("it lacks {} of {} arrival{}", barrier.pending, barrier.expected,
                       barrier.expected == 1 ? "" : "s");
    if (barrier.arrived < 0) {
      text += ", and no thread has ever arrived at it";
    } else {
      const auto who = static_cast<std::uint32_t>(barrier.arrived);
      const std::uint32_t rank = who / block_.threads();
      const Block& its = rank == rank_ ? block_ : *blocks_[rank];
      const bool alive = its.fibers_.alive(who % block_.threads());
      text += fmt::format(", and {}, which arrived last (line {}), {}", threadText(who),
                          barrier.arrivedLine, alive ? "waits, too" : "has ended");
    }
  }
  if (barrier.bytes != 0) {
    text += fmt::format("{}of {} expected bytes, {}", text.empty() ? "" : "; ", barrier.announced,
                        boxesText(number, barrier.phase));
  }
  return text;
}

std::string Agents::sleepText(const Sleep& s, std::uint32_t first, std::uint32_t count) const {
  const std::string who = count > 1 ? fmt::format("{} threads from {} on wait", count, first)
                                    : fmt::format("thread {} waits", first);
  if (s.cause == Cause::Barrier) {
    return fmt::format("{} in line {} for the end of phase {} of {}: {}", who, s.line, s.phase,
                       barrierText(s.barrier), owing(s.barrier));
  }
  if (s.cause == Cause::Block)
    return fmt::format("{} at the __syncthreads() of line {}, which not all threads reach", who,
                       s.line);
  if (s.cause == Cause::Cluster)
    return fmt::format("{} at the meet_cluster() of line {}, which not all threads reach", who,
                       s.line);
  if (s.cause == Cause::Meeting) {
    const Meeting& meeting = meetings_[s.barrier];
    if (s.barrier >= kNumberedMeetings)
      return fmt::format("{} in line {} for all lanes of its warp, and {} have arrived", who,
                         s.line, meeting.come);
    return fmt::format("{} in line {} for {} threads at barrier {}, and {} have arrived", who,
                       s.line, meeting.wanted, s.barrier, meeting.come);
  }
  const std::uint32_t warp = first / kWarpSize;
  if (s.cause == Cause::Registers) {
    return fmt::format(
        "{} in line {} for {} registers per thread of its warp instead of {}: {} are missing, and "
        "the block's pool has {}",
        who, s.line, s.barrier, registers_[warp], (s.barrier - registers_[warp]) * kWarpSize,
        pool_);
  }
  if (warps_[warp].open.empty())
    return fmt::format("{} in line {} for its wgmma instructions", who, s.line);
  const Open& open = warps_[warp].open.front();
  return fmt::format("{} in line {} for the wgmma of line {}, which {} not issued", who, s.line,
                     open.line, lanesText(~open.lanes));
}

void Agents::reportDeadlock(const std::vector<std::uint32_t>& alive) {
  // Threads that wait at one place for one reason are named together.
  struct Group {
    Sleep sleep;
    std::uint32_t first = 0, count = 0;
  };
  std::vector<Group> groups;
  for (const std::uint32_t thread : alive) {
    const Sleep& s = sleeps_[thread];
    const auto same = std::ranges::find_if(groups, [&](const Group& g) {
      const bool oneWarp = s.cause != Cause::Products || g.first / kWarpSize == thread / kWarpSize;
      return oneWarp && g.sleep.cause == s.cause && g.sleep.line == s.line &&
             g.sleep.barrier == s.barrier && g.sleep.phase == s.phase;
    });
    if (same == groups.end()) {
      groups.push_back({s, thread, 1});
    } else {
      ++same->count;
    }
  }
  if (groups.empty()) return;
  std::vector<std::string> texts;
  for (const Group& group : groups)
    texts.push_back(sleepText(group.sleep, group.first, group.count));
  block_.thread_ = groups.front().first;
  add(faultOf(
      FaultKind::Deadlock, groups.front().sleep.line,
      fmt::format("and all others that have not ended wait forever: {}", fmt::join(texts, "; "))));
}

bool Agents::reportLanes() {
  for (std::uint32_t thread = 0; thread < asked_.size(); ++thread) {
    const std::uint32_t first = thread / kWarpSize * kWarpSize;
    for (std::uint32_t word = 0; word < kWords; ++word) {
      const Executed &mine = asked_[thread].executed[word], &its = asked_[first].executed[word];
      if (mine.times == its.times) continue;
      const bool fewer = mine.times < its.times;
      block_.thread_ = fewer ? thread : first;
      add(faultOf(
          FaultKind::Disagreement, fewer ? its.line : mine.line,
          fmt::format(
              "executes {} {}, and lane {} of its warp {}: all 32 lanes must execute it together",
              kWordNames[word], timesText(std::min(mine.times, its.times)),
              fewer ? 0 : thread - first, timesText(std::max(mine.times, its.times)))));
      return true;
    }
  }
  return false;
}

// All warps of a warpgroup set their registers together (PTX ISA, "setmaxnreg").
bool Agents::reportWarps() {
  for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
    const std::uint32_t first = warp / kWarpsPerGroup * kWarpsPerGroup;
    for (const Word word : {Keep, Take}) {
      const Executed& mine = asked_[warp * kWarpSize].executed[word];
      const Executed& its = asked_[first * kWarpSize].executed[word];
      if (mine.times == its.times) continue;
      const bool fewer = mine.times < its.times;
      block_.thread_ = (fewer ? warp : first) * kWarpSize;
      add(faultOf(FaultKind::Disagreement, fewer ? its.line : mine.line,
                  fmt::format("and its warp execute {} {}, and warp {} {}: the four warps of a "
                              "warpgroup must execute it together",
                              kWordNames[word], timesText(std::min(mine.times, its.times)),
                              fewer ? first : warp, timesText(std::max(mine.times, its.times)))));
      return true;
    }
  }
  return false;
}

void Agents::reportLeftovers() {
  for (std::uint32_t i = 0; i < barriers_.size() && i < kBarriersPerBlock; ++i) {
    const Barrier& barrier = barriers_[i];
    // The newest phase with a requested box.
    const auto last = std::ranges::find(boxes_.rbegin(), boxes_.rend(), i, &BoxRecord::barrier);
    if (last == boxes_.rend()) continue;
    if (last->rank != rank_) continue;  // the block that issued it reports it
    block_.thread_ = last->warp * kWarpSize;
    if (barrier.bytes != 0) {
      add(faultOf(FaultKind::LeftUnderWay, last->line,
                  fmt::format("leaves phase {} of {} unfinished: {}", barrier.phase, barrierText(i),
                              owing(i))));
      continue;
    }
    const bool heard = std::ranges::any_of(clocks_, [&](const Clock& clock) {
      return clock.heard[barrierComponent(i)] > last->phase;
    });
    if (heard) continue;
    add(faultOf(FaultKind::LeftUnderWay, last->line,
                fmt::format("requests {}, and the block ends without a wait for phase {} of {}",
                            nameOf(*last, block_.arrays_), last->phase, barrierText(i))));
  }
  reportStores();
  reportVisits();
  if (reportLanes() || reportWarps()) return;
  for (std::uint32_t warp = 0; warp < products_.size(); ++warp) {
    const std::uint32_t first = warp / kWarpsPerGroup * kWarpsPerGroup;
    const std::size_t mine = products_[warp].size(), its = products_[first].size();
    if (mine == its) continue;
    const std::uint32_t more = mine > its ? warp : first;
    block_.thread_ = (mine > its ? first : warp) * kWarpSize;
    const ProductRecord& lacking = products_[more][std::min(mine, its)];
    add(faultOf(FaultKind::Disagreement, lacking.line,
                fmt::format("and its warp do not issue the wgmma that warp {} issues: the four "
                            "warps of a warpgroup must issue it together",
                            more)));
    return;
  }
}

}  // namespace tileloom::emulator
