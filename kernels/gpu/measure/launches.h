// SPDX-License-Identifier: GPL-3.0-or-later
// How many launches of a kernel one sample of its time takes.
#pragma once

#include <algorithm>
#include <cmath>

namespace tileloom::gpu {

// For a launch of `ms` milliseconds and a sample of at least about `sampleMs`: a short kernel is
// launched several times, so that neither the resolution of events (0.5 us) nor the host's pauses
// matter.
inline int launchesFor(double ms, double sampleMs) {
  constexpr int kMostLaunches = 500;
  return std::clamp(static_cast<int>(std::ceil(sampleMs / std::max(ms, 1e-3))), 1, kMostLaunches);
}

}  // namespace tileloom::gpu
