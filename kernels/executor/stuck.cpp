// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/stuck.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "kernels/executor/mbarriers.h"

namespace tileloom::executor {
namespace {

// "1 arrival", "2 arrivals".
std::string counted(std::int64_t number, const char* word) {
  return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

std::string mbarrierText(const Warp& warp, BlockMemory& memory) {
  const BarrierWait& wait = warp.barrierWait();
  std::uint64_t word = 0;
  if (const std::uint8_t* const place = memory.ofCluster(wait.at, Mbarrier::kBytes))
    std::memcpy(&word, place, sizeof word);
  const Mbarrier barrier = Mbarrier::of(word);
  return fmt::format("{} and {} are missing", counted(barrier.missing, "arrival"),
                     counted(barrier.bytes, "byte"));
}

// What a warp does, behind its name: singular and plural differ in the verb.
std::string doingText(const Warp& warp, bool several) {
  const char* const waits = several ? "wait" : "waits";
  switch (warp.state()) {
    case Warp::State::AtBarrier:
      return fmt::format("{} at barrier {}", waits, warp.barrier());
    case Warp::State::AtObject:
      return fmt::format("{} for phase {} of the mbarrier at {:#x}", waits,
                         warp.barrierWait().phase, warp.barrierWait().at & kPlaceMask);
    case Warp::State::AtCluster:
      return fmt::format("{} at the barrier of the cluster", waits);
    case Warp::State::AtGroup:
      return fmt::format("{} for a wgmma", waits);
    case Warp::State::Done:
      return several ? "have ended" : "has ended";
    default:
      return "can go on";
  }
}

// The threads that have come to the barrier at which the warp waits.
std::uint32_t threadsAt(const Warp& warp, std::span<const std::unique_ptr<Warp>> warps) {
  std::uint32_t come = warp.around().arrivals->threads[static_cast<std::size_t>(warp.barrier())];
  for (const auto& each : warps)
    if (each->state() == Warp::State::AtBarrier && each->barrier() == warp.barrier())
      come += kLanes;
  return come;
}

}  // namespace

std::string waitText(const Warp& warp, std::span<const std::unique_ptr<Warp>> warps,
                     BlockMemory& memory) {
  switch (warp.state()) {
    case Warp::State::AtObject:
      return fmt::format(
          "warp {} waits for ever for the end of phase {} of the mbarrier at {:#x}: {}",
          warp.number(), warp.barrierWait().phase, warp.barrierWait().at & kPlaceMask,
          mbarrierText(warp, memory));
    case Warp::State::AtGroup:
      return fmt::format(
          "warp {} waits for its wgmma for ever: another warp of its warpgroup does not issue its "
          "part",
          warp.number());
    case Warp::State::AtCluster:
      return fmt::format(
          "warp {} waits at the barrier of the cluster for ever: other warps do not arrive",
          warp.number());
    case Warp::State::AtBarrier:
      return fmt::format("warp {} waits at barrier {} for ever: {} of {} threads have come",
                         warp.number(), warp.barrier(), threadsAt(warp, warps),
                         warp.barrierThreads() != 0
                             ? warp.barrierThreads()
                             : static_cast<std::uint32_t>(warps.size()) * kLanes);
    default:
      return {};
  }
}

std::string othersText(const Warp& warp, std::span<const std::unique_ptr<Warp>> warps) {
  // Warps that follow each other and do the same are named together.
  struct Group {
    std::uint32_t first = 0, last = 0;
    const Warp* warp = nullptr;
  };
  std::vector<Group> groups;
  for (const auto& each : warps) {
    if (each.get() == &warp) continue;
    const std::string doing = doingText(*each, false);
    if (!groups.empty() && groups.back().last + 1 == each->number() &&
        doingText(*groups.back().warp, false) == doing)
      groups.back().last = each->number();
    else
      groups.push_back({each->number(), each->number(), each.get()});
  }
  constexpr std::size_t kNamed = 6;
  std::string text;
  for (std::size_t i = 0; i < groups.size() && i < kNamed; ++i) {
    const Group& group = groups[i];
    const bool several = group.last != group.first;
    const bool last = i + 1 == groups.size();
    text += i == 0 ? "; " : last ? ", and " : ", ";
    text += several ? fmt::format("warps {} to {} {}", group.first, group.last,
                                  doingText(*group.warp, true))
                    : fmt::format("warp {} {}", group.first, doingText(*group.warp, false));
  }
  return text;
}

}  // namespace tileloom::executor
