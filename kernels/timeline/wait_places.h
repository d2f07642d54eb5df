// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps of a block wait for, line by line of its kernel, and which of them have work at
// all, according to a recording. Samples of the hardware contain neither: they have a place in the
// machine code and a stall reason, which is the same for very different waits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/emulator/trace.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

struct WaitPlace {
  std::uint16_t line = 0;   // of the source
  std::uint32_t warps = 0;  // that come here, a bit for each
  On on = On::Nothing;      // what they wait for; Nothing: this line has no such operation
  bool fills = false;       // of a phase: arriving bytes complete it, so that a stage is full
};

struct WaitPlaces {
  std::vector<WaitPlace> lines;    // in the recording, ascending
  std::vector<std::string> roles;  // by warp, with the kernel's names; empty if it has none
  // A bit for each warp: those that multiply, those that do other work, and those without work once
  // the roles are assigned, such as most warps of a producer's warpgroup.
  std::uint32_t multiply = 0, bring = 0, idle = 0;
  // Where the idle ones wait until their block ends, with all the others; 0: they end at once.
  std::uint16_t idleLine = 0;

  // The place at which a warp of this line was recorded; nullptr: there is none.
  const WaitPlace* at(int line) const;
  // The warps that work and execute this line: those recorded there, or else at the last recorded
  // line above it; before the first one all that work.
  std::uint32_t workersOf(int line) const;
};
WaitPlaces waitPlaces(const emulator::Trace& trace);

// "for its wgmma", "for a stage to be filled", "for an empty stage"; empty: it is not a wait.
std::string_view waitText(const WaitPlace& place);

// "producer warps 9 to 11"; empty if none is idle.
std::string idleText(const WaitPlaces& places);

}  // namespace tileloom::timeline
