// SPDX-License-Identifier: GPL-3.0-or-later
// Timestamps as a timeline, compared with the predicted one.
//
// A timestamped wait of a warp is a wait; the time between two timestamps is named after the
// operation that ends it, or is unspecified work. Data is in flight from the operation that issues
// its transfer until the first warp has seen it arrive; wgmma is in flight from the first one
// issued until a warp has seen it complete, which may be later than it was.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/timeline/recorded/measured.h"
#include "kernels/timeline/timeline.h"
#include "kernels/timeline/wait_places.h"

namespace tileloom::timeline {

// In cycles from the block's earliest timestamp. A K tile begins at the end of the last operation
// that holds back its multiply-adds; `program`, of the same stage and tile, says which one that is.
// The error is a sentence without a full stop: the two do not match.
tl::expected<Timeline, std::string> timelineOf(const Measured& measured,
                                               const BlockProgram& program);

// The measured timeline, shifted so that its K tile `measuredTile` begins where the predicted one's
// `predictedTile` does (at the end of the same operation), without what is outside the predicted
// one's time. std::nullopt: one of them has no such K tile.
std::optional<Timeline> alignedTo(const Timeline& predicted, const Timeline& measured,
                                  const BlockProgram& program, std::uint32_t predictedTile,
                                  std::uint32_t measuredTile);

// One reason to wait, as shares of the time of the warps that multiply, or of those that bring data
// to them: of their time in the steady state (predicted, timestamped), or in the whole launch
// (timed, sampled).
struct ComparedWait {
  On on = On::Nothing;
  Who who = Who::Multiply;
  double predicted = 0;
  std::optional<double> timed;    // by sums of waits; none: there are no sums, see addTimes()
  std::optional<double> stamped;  // none: these warps have no timestamps
  std::optional<double> sampled;  // none: this launch was not sampled, see addSamples()
};
struct Comparison {
  double predictedCycles = 0, stampedCycles = 0;  // from one K tile to the next
  std::vector<ComparedWait> waits;  // those that timestamps distinguish and that one of them has
  std::uint32_t from = 0, to = 0;   // the timestamped K tiles
  // The cost of writing one timestamp: cycles from one to the next with nothing between them in the
  // source; and how many of them a warp that multiplies writes per K tile. 0: there is no such
  // place.
  double perStamp = 0, stampsPerTile = 0;
  bool timed = false;     // there are sums of waits
  std::string sampledOn;  // the device; empty: there are no samples
};
// Both must have a steady state.
Comparison compared(const Timeline& predicted, const Timeline& measured);

// Adds the sums of waits of the warps of such a launch, if there are any.
void addTimes(Comparison& comparison, const Measured& measured, const BlockProgram& program);

// Adds what was sampled in the same launch, if that ships. `places` are of the same stage and tile.
void addSamples(Comparison& comparison, const Measured& measured, const WaitPlaces& places);

// Why timestamps give a much smaller wait than sums do, or than samples if there are no sums, in
// one sentence. Empty: they do not.
std::string disagreement(const Comparison& comparison);

// "timestamps cost 1.2 %", of the time of a launch; or that timestamps make it faster, if the
// compiler has arranged the kernel differently.
std::string costOf(const Measured& measured);
// "timestamped on NVIDIA H100 80GB HBM3, 2026-11-25, timestamps cost 1.2 %"
std::string captionOf(const Measured& measured);

}  // namespace tileloom::timeline
