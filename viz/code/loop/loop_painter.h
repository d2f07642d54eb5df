// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a main loop as compiled, above the rewritten one.
#pragma once

#include <optional>

#include "viz/code/loop/loop_geometry.h"

class QPainter;

namespace tileloom {

void paintLoop(QPainter& painter, const LoopData& data, const LoopGeometry& geometry,
               const std::vector<LoopRow>& rows, const std::vector<LoopWait>& waits,
               const std::optional<LoopPlace>& hover, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
