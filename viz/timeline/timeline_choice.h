// SPDX-License-Identifier: GPL-3.0-or-later
// The user's choices for the timeline.
#pragma once

#include <optional>
#include <string_view>

#include "viz/timeline/timeline_data.h"

namespace tileloom {

// The name on the command line for hiding what `measured` shows.
inline constexpr std::string_view kMeasuredLanes = "measured";

struct TimelineChoice {
  int delay = 0;   // cycles that memory takes longer
  int varies = 0;  // and up to this many more, a different number for each K tile of A and of B
  std::optional<CycleSpan> span;  // the shown span; std::nullopt: the first K tiles
  bool betweenTiles = false;      // the time between two tiles of C, for persistent kernels
  bool measured = true;           // shows the timestamps of a GPU below, if there are any
  bool operator==(const TimelineChoice&) const = default;
};

}  // namespace tileloom
