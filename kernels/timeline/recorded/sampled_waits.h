// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a launch, assigned to groups of warps: those that multiply, those that do other work,
// and those that have nothing to do. A share is always a share of the samples of its own warps, and
// so of their time.
//
// A sample does not say which warp it is of. If a line belongs to one role, the recording knows it;
// samples of a line that several roles share are divided by the number of their warps. Idle warps
// wait at one place for the lifetime of their block, so their share of the samples there is their
// share of its warps: the remaining samples of that place are of warps that work.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/model/why/stalls.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/wait_places.h"

namespace tileloom::timeline {

struct SampledWaits {
  // By line, most first: shares of the samples of the warps that multiply, and of those that do
  // other work.
  std::vector<model::LineStalls> multiply, bring;
  // Of all samples, 0 to 1: those of these warps, and of the idle ones.
  double ofMultiply = 0, ofBring = 0, ofIdle = 0;

  // The share of their warps' time that they wait in operations for this. std::nullopt: no sample.
  std::optional<double> waiting(const WaitPlaces& places, On on, Who who) const;
};
SampledWaits sampledWaits(const std::vector<model::LineStalls>& byLine, const WaitPlaces& places);

// For a launch whose samples and listing ship with the program, at exactly this problem.
// std::nullopt: there are none.
struct RecordedWaits {
  SampledWaits waits;
  std::string device, when;
};
std::optional<RecordedWaits> recordedWaits(const Subject& subject, const Problem& problem,
                                           std::string_view arch, const WaitPlaces& places);

// The most frequent wait at a line: "for its wgmma (profiler: at a barrier)", or the profiler's
// reason alone if the kernel has no term for it, or its places are unknown (nullptr). Empty: no
// wait.
std::string waitedText(const model::LineStalls& line, const WaitPlaces* places);
// The share of the samples that this covers: all waits of the line if the kernel has a term for
// them, else those for the profiler's reason.
double waitedShare(const model::LineStalls& line, const WaitPlaces* places);

}  // namespace tileloom::timeline
