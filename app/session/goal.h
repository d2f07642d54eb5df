// SPDX-License-Identifier: GPL-3.0-or-later
// An instant of a recording that can be named before the recording is there.
//
//   view.goal = LineInTile{23, 2};
//   ... and once it has arrived:  index = instructionAt(*view.goal, recording, view.warp);
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "kernels/analysis/recording.h"

namespace tileloom {

// The access that shows most of what the kernel wastes (kernels/analysis/telling_access.h).
struct TellingAccess {
  bool operator==(const TellingAccess&) const = default;
};

// The first execution of a line of the stage's source in this K tile or a later one.
struct LineInTile {
  int line = 0;
  std::uint32_t kTile = 0;
  bool operator==(const LineInTile&) const = default;
};

using Goal = std::variant<TellingAccess, LineInTile>;

// Its place in the stream of this warp; std::nullopt: the warp has no such instruction.
std::optional<std::uint32_t> instructionAt(const Goal& goal, const analysis::Recording& recording,
                                           std::uint32_t warp);

}  // namespace tileloom
