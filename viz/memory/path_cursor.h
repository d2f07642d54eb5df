// SPDX-License-Identifier: GPL-3.0-or-later
// A keyboard cursor along the memory path: left and right follow one value from station to station,
// up and down move through the cells of a station.
#pragma once

#include <optional>

#include "viz/base/widgets/cursor_move.h"
#include "viz/memory/path_geometry.h"

namespace tileloom {

struct PathCell {
  std::size_t column = 0;  // of the geometry
  std::size_t value = 0;   // of the path
  bool operator==(const PathCell&) const = default;
};

// Next and Previous go to the next lane's value. Without a start, or with a `from` of another path,
// the cursor begins at the source of the first value; std::nullopt: no values.
std::optional<PathCell> moveInPath(const PathGeometry& geometry, const analysis::MemoryPath& path,
                                   std::optional<PathCell> from, CursorMove move, int count = 1);

}  // namespace tileloom
