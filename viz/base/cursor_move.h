// SPDX-License-Identifier: GPL-3.0-or-later
// How a cursor moves over the cells of a picture, for people who use no mouse. Which cells there
// are is the business of each view: viz/loom/loom_cells.h, viz/memory/bank_cursor.h and
// path_cursor.h.
#pragma once

namespace tileloom {

enum class CursorMove { Left, Right, Up, Down, RowStart, RowEnd, Next, Previous };

}  // namespace tileloom
