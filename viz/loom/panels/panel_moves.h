// SPDX-License-Identifier: GPL-3.0-or-later
// A cursor over the cells of the panel of the loom's lowest level.
#pragma once

#include <optional>

#include "viz/base/widgets/cursor_move.h"
#include "viz/loom/panels/thread_panel.h"

namespace tileloom {

// An accumulator or a fragment of the thread whose panel is shown, as the panel lays them out:
// those of A to the left of the grid, those of B above it, whatever is between its rows and columns
// in C. A move from an element outside the panel goes to the fragment of the same row or column, or
// to the first accumulator; std::nullopt: the panel is empty.
std::optional<analysis::Element> moveInPanel(const ThreadPanel& panel,
                                             const analysis::Element& from, CursorMove move,
                                             int count = 1);

}  // namespace tileloom
