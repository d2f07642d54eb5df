// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has chosen for the timeline.
#pragma once

#include <optional>

#include "viz/timeline/timeline_data.h"

namespace tileloom {

struct TimelineChoice {
  int delay = 0;                  // cycles that memory takes longer
  std::optional<CycleSpan> span;  // that is shown; std::nullopt: the first K tiles
  bool operator==(const TimelineChoice&) const = default;
};

}  // namespace tileloom
