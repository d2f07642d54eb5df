// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a launch, dealt out to the warps that they are of: those that multiply, those that
// work otherwise, and those that have nothing to do. A share is always one of the samples of its
// own warps, so that it is a share of their time.
//
// A sample does not say which warp it is of. Where a line is one role's, the recording knows it;
// samples of a line that several roles share are dealt out by the number of their warps. Idle warps
// sleep at one place for as long as their block lives, so that they have as many samples there as
// there are of them among its warps: what is left of that place's samples is of warps that work.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/model/stalls.h"
#include "kernels/timeline/wait_places.h"

namespace tileloom::timeline {

struct SampledWaits {
  // By line, most first: shares of the samples of the warps that multiply, and of those that work
  // otherwise.
  std::vector<model::LineStalls> multiply, bring;
  // Of all samples, 0 to 1: those of these warps, and of the idle ones.
  double ofMultiply = 0, ofBring = 0, ofIdle = 0;

  // The share of their warps' time that they wait at words for this. std::nullopt: no sample.
  std::optional<double> waiting(const WaitPlaces& places, On on, Who who) const;
};
SampledWaits sampledWaits(const std::vector<model::LineStalls>& byLine, const WaitPlaces& places);

// Of a launch whose samples and listing ship with the program, at exactly this problem.
// std::nullopt: there are none.
struct RecordedWaits {
  SampledWaits waits;
  std::string device, when;
};
std::optional<RecordedWaits> recordedWaits(const Stage& stage, const TileShape& tile,
                                           Arithmetic arithmetic, const Problem& problem,
                                           std::string_view arch, const WaitPlaces& places);

// What was most waited for at a line: "for its products (profiler: at a barrier)", or the
// profiler's reason alone where the kernel has no word there, or nobody knows its places (nullptr).
// Empty: nobody waited.
std::string waitedText(const model::LineStalls& line, const WaitPlaces* places);
// The share of the samples that this is of: all waits of the line where the kernel has a word for
// them, else those for the profiler's reason.
double waitedShare(const model::LineStalls& line, const WaitPlaces* places);

}  // namespace tileloom::timeline
