// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "viz/base/theme.h"
#include "viz/ring/ring_geometry.h"

class QPainter;

namespace tileloom {

// `hovered`: the stage under the pointer, which is framed.
void paintRing(QPainter& painter, const RingData& data, const RingGeometry& geometry,
               std::optional<std::uint32_t> hovered, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
