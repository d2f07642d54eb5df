// SPDX-License-Identifier: GPL-3.0-or-later
// Which events of a block have happened before which others: a clock for each warp (clock.h), which
// the synchronisation of its threads moves. It reports no fault; judges ask it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/clock.h"
#include "kernels/emulator/events.h"
#include "kernels/emulator/judges/place.h"
#include "kernels/emulator/judges/shadow.h"

namespace tileloom::emulator::judges {

class Happens {
 public:
  // Of a block with this place and this shadow, which both live as long as this. `warps`: 0 where
  // accesses are ordered by intervals alone.
  Happens(const Place& place, Shadow& shadow, std::uint32_t warps);
  Happens(const Happens&) = delete;
  Happens& operator=(const Happens&) = delete;

  // The blocks of its cluster, by rank, including itself; before the first event.
  void join(const std::vector<Happens*>& cluster) { cluster_ = cluster; }

  // Of an access of this thread now.
  std::uint32_t stamp(std::uint32_t thread) const {
    return times_[thread / kWarpSize] << kThreadBits | place_.who(thread);
  }
  const Clock& clock(std::uint32_t thread) const { return clocks_[thread / kWarpSize]; }
  const std::vector<Clock>& clocks() const { return clocks_; }

  std::uint32_t warpComponent(std::uint32_t warp) const {
    return Component::warp(place_.firstThread / kWarpSize + warp);
  }
  std::uint32_t productsComponent(std::uint32_t warp) const {
    return Component::products(place_.firstThread / kWarpSize + warp);
  }
  std::uint32_t storesComponent(std::uint32_t warp) const {
    return Component::stores(place_.firstThread / kWarpSize + warp);
  }
  std::uint32_t barrierComponent(std::uint32_t barrier) const {
    return Component::barrier(place_.rank * kBarriersPerBlock + barrier);
  }

  void see(const event::BarriersDeclared& e);
  void see(const event::FenceAsync& e);
  void see(const event::Arrived& e);
  void see(const event::BoxArrived& e);
  void see(const event::PhaseEnded& e);
  void see(const event::WaitEnded& e);
  void see(const event::ProductsEnded& e);
  void see(const event::BoxesRead& e);
  void see(const event::MeetingArrived& e);
  void see(const event::MeetingEnded& e);
  void see(const event::MeetingLeft& e);
  void see(const event::BlockBarrierPassed&);
  void see(const event::ClusterBarrierPassed& e);
  void see(const event::FlagAwaited& e);
  void see(const event::WarpResumed& e);
  void see(const event::Settled&);

 private:
  struct BarrierClocks {
    std::uint32_t phase = 0;  // number of phases that have ended
    Clock arriving;           // of the threads that have arrived in this phase
    // Of the phases up to each of the last ones. A thread that waits for the end of one of them
    // does not hear of a later one.
    std::array<Clock, 4> ended;
  };
  struct MeetingClocks {
    Clock arriving, ended;  // of this meeting, and of the last one
  };

  void endStretch(std::uint32_t warp);  // what follows has a later stamp
  void forget();

  const Place& place_;
  Shadow& shadow_;
  std::vector<Happens*> cluster_;     // by rank, including itself
  std::vector<Clock> clocks_;         // by warp
  std::vector<std::uint32_t> times_;  // by warp: the present stretch, from 1
  std::vector<BarrierClocks> barriers_;
  std::vector<MeetingClocks> meetings_;  // by number, and after these one for each warp
};

}  // namespace tileloom::emulator::judges
