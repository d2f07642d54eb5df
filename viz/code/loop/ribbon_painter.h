// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the ribbon of a loop.
#pragma once

#include "viz/base/theme.h"
#include "viz/code/loop/ribbon_geometry.h"

class QPainter;

namespace tileloom {

// `cursor`: the instruction to mark; -1: none.
void paintRibbon(QPainter& painter, const RibbonGeometry& ribbon, const Theme& theme, int cursor);

}  // namespace tileloom
