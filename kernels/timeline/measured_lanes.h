// SPDX-License-Identifier: GPL-3.0-or-later
// Stamps as a timeline, and beside the predicted one.
//
// A stamp at which a warp waits is a sleep; what lies between two stamps is named after the word
// that ends it, or is work that is not told apart. Data is on its way from the word that asks for
// it until the first warp has seen it arrive; products are in flight from the first one that is
// asked for until a warp has seen them done, which may be later than they were.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/timeline/measured.h"
#include "kernels/timeline/timeline.h"
#include "kernels/timeline/wait_places.h"

namespace tileloom::timeline {

// In cycles from the block's earliest stamp. A K tile begins where the last word ends that holds
// its multiply-adds back; `program`, of the same stage and tile, says which word that is. The error
// is a sentence without a full stop: the two do not fit together.
tl::expected<Timeline, std::string> timelineOf(const Measured& measured,
                                               const BlockProgram& program);

// The measured timeline so that its K tile `measuredTile` begins where the predicted one's
// `predictedTile` does (at the end of the same word), and without what is outside the predicted
// one's time. std::nullopt: one of them has no such K tile.
std::optional<Timeline> alignedTo(const Timeline& predicted, const Timeline& measured,
                                  const BlockProgram& program, std::uint32_t predictedTile,
                                  std::uint32_t measuredTile);

// One reason to wait, as shares of the time of the warps that multiply, or of those that bring data
// to them: of their time in the steady state (predicted, stamped), or in the whole launch (timed,
// sampled).
struct ComparedWait {
  On on = On::Nothing;
  Who who = Who::Multiply;
  double predicted = 0;
  std::optional<double> timed;    // by sums of waits; none: there are none, see addTimes()
  std::optional<double> stamped;  // none: these warps have stamped nothing
  std::optional<double> sampled;  // none: nobody has sampled this launch, see addSamples()
};
struct Comparison {
  double predictedCycles = 0, stampedCycles = 0;  // from one K tile to the next
  std::vector<ComparedWait> waits;  // those that stamps tell apart and one of them has
  std::uint32_t from = 0, to = 0;   // the stamped K tiles
  // What writing one stamp takes a warp: cycles from one stamp to the next where no more stands
  // between them in the source; and how many of them a warp that multiplies writes per K tile. 0:
  // there is no such place.
  double perStamp = 0, stampsPerTile = 0;
  bool timed = false;     // there are sums of waits
  std::string sampledOn;  // the device; empty: there are no samples
};
// Both must have a steady state.
Comparison compared(const Timeline& predicted, const Timeline& measured);

// Adds what the warps of such a launch have added up of their waits, if they have.
void addTimes(Comparison& comparison, const Measured& measured, const BlockProgram& program);

// Adds what was sampled of the same launch, if that ships. `places` are of the same stage and tile.
void addSamples(Comparison& comparison, const Measured& measured, const WaitPlaces& places);

// Why stamps say so much less of a wait than sums do, or samples where there are no sums, in one
// sentence. Empty: they do not.
std::string disagreement(const Comparison& comparison);

// "stamping costs 1.2 %", of the time of a launch; or that it makes one faster, where the compiler
// has arranged the kernel otherwise.
std::string costOf(const Measured& measured);
// "stamped on NVIDIA H100 80GB HBM3, 2026-11-25, stamping costs 1.2 %"
std::string captionOf(const Measured& measured);

}  // namespace tileloom::timeline
