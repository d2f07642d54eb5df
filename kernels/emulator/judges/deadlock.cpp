// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tileloom::emulator::judges {
namespace {

using event::Cause;

std::string lanesText(std::uint32_t lanes) {
  const int first = std::countr_zero(lanes), count = std::popcount(lanes);
  return count == 1 ? fmt::format("lane {} has", first)
                    : fmt::format("{} lanes from {} on have", count, first);
}

}  // namespace

std::string Deadlock::textOf(const event::Waiting& w, std::uint32_t count,
                             std::span<const event::BarrierState> barriers) const {
  const int line = w.site.line;
  const std::string who = count > 1 ? fmt::format("{} threads from {} on wait", count, w.thread)
                                    : fmt::format("thread {} waits", w.thread);
  switch (w.cause) {
    case Cause::Barrier:
      return fmt::format("{} in line {} for the end of phase {} of {}: {}", who, line, w.phase,
                         context_.barrierText(w.number),
                         context_.owing(w.number, barriers[w.number]));
    case Cause::Block:
      return fmt::format("{} at the __syncthreads() of line {}, which not all threads reach", who,
                         line);
    case Cause::Cluster:
      return fmt::format("{} at the meet_cluster() of line {}, which not all threads reach", who,
                         line);
    case Cause::Meeting:
      if (w.number >= event::kNumberedMeetings)
        return fmt::format("{} in line {} for all lanes of its warp, and {} have arrived", who,
                           line, w.come);
      return fmt::format("{} in line {} for {} threads at barrier {}, and {} have arrived", who,
                         line, w.wanted, w.number, w.come);
    case Cause::Registers:
      return fmt::format(
          "{} in line {} for {} registers per thread of its warp instead of {}: {} are missing, "
          "and the block's pool has {}",
          who, line, w.number, w.has, (w.number - w.has) * kWarpSize, w.pool);
    case Cause::None:
    case Cause::Products:
      break;
  }
  for (const Requests::Open& open : context_.requests.open[w.thread / kWarpSize].list) {
    if (~open.lanes == 0) continue;
    return fmt::format("{} in line {} for the wgmma of line {}, which {} not issued", who, line,
                       open.product.at.site.line, lanesText(~open.lanes));
  }
  return fmt::format("{} in line {} for its wgmma instructions", who, line);
}

void Deadlock::see(const event::Deadlocked& e) {
  // Threads that wait at one place for one reason are named together.
  struct Group {
    event::Waiting waiting;  // of the first one
    std::uint32_t count = 0;
  };
  std::vector<Group> groups;
  for (const event::Waiting& w : e.waiting) {
    const auto same = std::ranges::find_if(groups, [&](const Group& g) {
      const event::Waiting& its = g.waiting;
      const bool oneWarp =
          w.cause != Cause::Products || its.thread / kWarpSize == w.thread / kWarpSize;
      return oneWarp && its.cause == w.cause && its.site.line == w.site.line &&
             its.site.address == w.site.address && its.number == w.number && its.phase == w.phase;
    });
    if (same == groups.end()) {
      groups.push_back({w, 1});
    } else {
      ++same->count;
    }
  }
  if (groups.empty()) return;
  std::vector<std::string> texts;
  for (const Group& group : groups) texts.push_back(textOf(group.waiting, group.count, e.barriers));
  const event::Waiting& first = groups.front().waiting;
  context_.report(
      FaultKind::Deadlock, {first.thread, first.site},
      fmt::format("and all others that have not ended wait forever: {}", fmt::join(texts, "; ")));
}

}  // namespace tileloom::emulator::judges
