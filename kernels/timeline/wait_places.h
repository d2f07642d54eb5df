// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps of a block wait for, line by line of its kernel, and which of them have work at
// all, as a recording has it. Samples of the hardware name neither: they have a place in the
// machine code and a reason of the profiler, which is the same for very different waits.
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
  On on = On::Nothing;      // what they wait for; Nothing: this line has no such word
  bool fills = false;       // of a phase: bytes that arrive end it, so that a stage is full
};

struct WaitPlaces {
  std::vector<WaitPlace> lines;    // that the recording has, ascending
  std::vector<std::string> roles;  // by warp, as the kernel calls them; empty where it names none
  // A bit for each warp: those that multiply, those that work otherwise, and those for which the
  // kernel has nothing to do once its roles are dealt out, as most warps of a producer's warpgroup.
  std::uint32_t multiply = 0, bring = 0, idle = 0;
  // Where the idle ones sleep until their block ends, with all the others; 0: they end at once.
  std::uint16_t idleLine = 0;

  // Where a warp of this line was recorded; nullptr: nobody was.
  const WaitPlace* at(int line) const;
  // The warps that work and whose code this line is: those recorded there, or else at the last
  // recorded line above it; before the first one all that work.
  std::uint32_t workersOf(int line) const;
};
WaitPlaces waitPlaces(const emulator::Trace& trace);

// "for its products", "for a stage to be filled", "for an empty stage"; empty: it is no wait.
std::string_view waitText(const WaitPlace& place);

// "producer warps 9 to 11"; empty where none is idle.
std::string idleText(const WaitPlaces& places);

}  // namespace tileloom::timeline
