// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has chosen for the timeline.
#pragma once

#include <optional>
#include <string_view>

#include "viz/timeline/timeline_data.h"

namespace tileloom {

// As the command line names what is left out with `measured`.
inline constexpr std::string_view kMeasuredLanes = "measured";

struct TimelineChoice {
  int delay = 0;                  // cycles that memory takes longer
  int varies = 0;                 // and up to so many more, for each K tile of A and of B another
  std::optional<CycleSpan> span;  // that is shown; std::nullopt: the first K tiles
  bool betweenTiles = false;      // what is between two tiles of C, where blocks stay
  bool measured = true;           // what a GPU has stamped is shown beneath, where there is some
  bool operator==(const TimelineChoice&) const = default;
};

}  // namespace tileloom
