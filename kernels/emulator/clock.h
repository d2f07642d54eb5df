// SPDX-License-Identifier: GPL-3.0-or-later
// The happens-before order of the threads and asynchronous agents of a block. No time is measured:
// a race is a race, whatever its timing was.
//
// Each warp and agent has a component, and counts in it. A clock says how far its owner has heard
// of each component: of a warp, the stretches of its program that have ended (each arrival and each
// barrier ends one); of a warp's wgmma instructions, the groups that are complete; of an mbarrier,
// the phases that have ended, and with them the boxes that counted on it; of a warp's TMA stores,
// the groups that have been read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tileloom::emulator {

// A stamp: the origin and time of an access to a word, with the time in the upper bits and the
// origin in the lowest kThreadBits bits: a thread's number, or kFirstAgent and more for agents.
inline constexpr std::uint32_t kThreadBits = 11;
inline constexpr std::uint32_t kManyThreads = (1u << kThreadBits) - 1;
inline constexpr std::uint32_t kFirstAgent = 1024;

// For all blocks of a cluster together.
inline constexpr std::uint32_t kClockWarps = 32, kClockBarriers = 32;
inline constexpr std::uint32_t kBarriersPerBlock = 16;

struct Component {
  static constexpr std::uint32_t warp(std::uint32_t warp) { return warp; }
  static constexpr std::uint32_t products(std::uint32_t warp) { return kClockWarps + warp; }
  static constexpr std::uint32_t barrier(std::uint32_t barrier) {
    return 2 * kClockWarps + barrier;
  }
  static constexpr std::uint32_t stores(std::uint32_t warp) {
    return 2 * kClockWarps + kClockBarriers + warp;
  }
  static constexpr std::uint32_t kCount = 3 * kClockWarps + kClockBarriers;
  // The component of the origin of this stamp.
  static constexpr std::uint32_t of(std::uint32_t stamp) {
    const std::uint32_t who = stamp & kManyThreads;
    return who < kFirstAgent ? who / 32 : who - kFirstAgent + kClockWarps;
  }
  // The lowest bits of the stamps of an agent.
  static constexpr std::uint32_t agent(std::uint32_t component) {
    return kFirstAgent + component - kClockWarps;
  }
};

struct Clock {
  std::array<std::uint32_t, Component::kCount> heard{};
  // The same for the agents: how far a fence has made the accesses of each warp visible to them.
  // Agents access shared memory through the async proxy, so a read or write of a thread may be
  // complete for other threads and not yet for the agents.
  std::array<std::uint32_t, kClockWarps> shown{};

  void join(const Clock& other) {
    for (std::uint32_t i = 0; i < Component::kCount; ++i)
      heard[i] = std::max(heard[i], other.heard[i]);
    for (std::uint32_t i = 0; i < kClockWarps; ++i) shown[i] = std::max(shown[i], other.shown[i]);
  }
  // Of barriers alone: the end of a phase is known to all that is ordered after an arrival that
  // knew of it, also where nothing orders memory.
  void joinPhases(const Clock& other) {
    for (std::uint32_t i = Component::barrier(0); i < Component::barrier(kClockBarriers); ++i)
      heard[i] = std::max(heard[i], other.heard[i]);
  }
  // A fence: makes everything before it visible to the agents.
  void show() {
    for (std::uint32_t i = 0; i < kClockWarps; ++i) shown[i] = std::max(shown[i], heard[i]);
  }
  // Whether an access of a thread with this stamp is complete for the agents.
  bool shows(std::uint32_t stamp) const {
    return (stamp >> kThreadBits) <= shown[Component::warp(Component::of(stamp))];
  }
  // Whether the access with this stamp has happened before.
  bool knows(std::uint32_t stamp) const {
    return (stamp >> kThreadBits) <= heard[Component::of(stamp)];
  }
};

}  // namespace tileloom::emulator
