// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of the first block, as the clock sees them happen: what its warps do and wait for, its
// data in flight, its wgmma, and C that leaves.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/machine/cause.h"
#include "kernels/machine/pipe.h"
#include "kernels/timeline/operation.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

class LaneRecorder {
 public:
  explicit LaneRecorder(std::size_t warps) : spans_(warps) {}

  // The warp waits for `on` before it issues `op`.
  void wait(std::uint32_t warp, const Operation& op, const machine::Passage& time, On on,
            const machine::Cause& ended);
  void issue(std::uint32_t warp, const Operation& op, const machine::Passage& time);
  void wgmma(const Operation& op, const machine::Passage& time);
  // Data of A or B; returns the number of the transfer, of which a K tile has one for each matrix.
  // kNone: the data is of C.
  std::uint32_t transfer(const Operation& op, const machine::Passage& time);
  // C that leaves. What follows at once, of the same block tile and line, is one span, unless it is
  // a box.
  void leave(const Operation& op, const machine::Passage& time);

  // Moves the lanes and arrows into the timeline. `schedulers` and `roles` are by warp.
  void addTo(Timeline& timeline, const std::vector<std::uint32_t>& schedulers,
             const std::vector<std::string>& roles);

 private:
  struct Woken {
    std::uint32_t warp = 0;
    machine::Cause cause;
    double to = 0;
  };
  void placeFlights(Timeline& timeline, std::map<std::uint32_t, std::uint32_t>& laneOf) const;

  std::map<std::uint32_t, Span> flights_;
  std::vector<Span> tensor_, leaving_;
  std::vector<std::vector<Span>> spans_;  // by warp
  std::vector<Woken> woken_;
};

}  // namespace tileloom::timeline
