// SPDX-License-Identifier: GPL-3.0-or-later
// What has happened before what, where threads and asynchronous agents of a block work side by
// side. No time is measured here: a race is a race however lucky its timing was.
//
// Everybody who acts has a component, and counts in it. A clock says how far its owner has heard of
// each of them: of a warp, the stretches of its program that have ended (each arrival and each
// barrier ends one); of a warp's products, the groups that are done; of a barrier, the phases that
// have ended, and with them the boxes that counted on it; of a warp's boxes to be stored, the
// groups that have been read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tileloom::emulator {

// Who has accessed a word, and when: in the upper bits the time, in the lowest kThreadBits bits
// who. These are a thread's number, or kFirstAgent and more for the others.
inline constexpr std::uint32_t kThreadBits = 11;
inline constexpr std::uint32_t kManyThreads = (1u << kThreadBits) - 1;
inline constexpr std::uint32_t kFirstAgent = 1024;

// Of all blocks of a cluster together.
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
  // Of the one who made this stamp.
  static constexpr std::uint32_t of(std::uint32_t stamp) {
    const std::uint32_t who = stamp & kManyThreads;
    return who < kFirstAgent ? who / 32 : who - kFirstAgent + kClockWarps;
  }
  // The lowest bits of the stamps of one that is no thread.
  static constexpr std::uint32_t agent(std::uint32_t component) {
    return kFirstAgent + component - kClockWarps;
  }
};

struct Clock {
  std::array<std::uint32_t, Component::kCount> heard{};
  // The same of the agents: how far the accesses of warps have been shown to them by a fence. They
  // go another way to shared memory than those of threads (the async proxy), and what a thread has
  // read or written need not be over for them when it is for other threads.
  std::array<std::uint32_t, kClockWarps> shown{};

  void join(const Clock& other) {
    for (std::uint32_t i = 0; i < Component::kCount; ++i)
      heard[i] = std::max(heard[i], other.heard[i]);
    for (std::uint32_t i = 0; i < kClockWarps; ++i) shown[i] = std::max(shown[i], other.shown[i]);
  }
  // Of barriers alone: that phases have ended is known to whoever is reached by what somebody did
  // who knew of it, also where nothing orders memory.
  void joinPhases(const Clock& other) {
    for (std::uint32_t i = Component::barrier(0); i < Component::barrier(kClockBarriers); ++i)
      heard[i] = std::max(heard[i], other.heard[i]);
  }
  // A fence: what has happened before is shown to the agents.
  void show() {
    for (std::uint32_t i = 0; i < kClockWarps; ++i) shown[i] = std::max(shown[i], heard[i]);
  }
  // Whether an access of a thread, which bears this stamp, is over for the agents.
  bool shows(std::uint32_t stamp) const {
    return (stamp >> kThreadBits) <= shown[Component::warp(Component::of(stamp))];
  }
  // Whether what bears this stamp has happened before.
  bool knows(std::uint32_t stamp) const {
    return (stamp >> kThreadBits) <= heard[Component::of(stamp)];
  }
};

}  // namespace tileloom::emulator
