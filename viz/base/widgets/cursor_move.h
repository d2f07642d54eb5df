// SPDX-License-Identifier: GPL-3.0-or-later
// Moves of a keyboard cursor over the cells of a picture. Each view defines its cells:
// viz/loom/loom_cells.h, viz/memory/bank_cursor.h and path_cursor.h.
#pragma once

namespace tileloom {

enum class CursorMove { Left, Right, Up, Down, RowStart, RowEnd, Next, Previous };

}  // namespace tileloom
