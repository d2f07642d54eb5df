// SPDX-License-Identifier: GPL-3.0-or-later
// A cursor along the memory path, for people who use no mouse: left and right follow one value from
// station to station, up and down go through the cells of a station.
#pragma once

#include <optional>

#include "viz/base/cursor_move.h"
#include "viz/memory/path_geometry.h"

namespace tileloom {

struct PathCell {
  std::size_t column = 0;  // of the geometry
  std::size_t value = 0;   // of the path
  bool operator==(const PathCell&) const = default;
};

// Next and Previous go to the next lane's value. From nowhere, and where `from` is none of this
// path, one begins at the first value where it comes from; std::nullopt: no value is on its way.
std::optional<PathCell> moveInPath(const PathGeometry& geometry, const analysis::MemoryPath& path,
                                   std::optional<PathCell> from, CursorMove move, int count = 1);

}  // namespace tileloom
