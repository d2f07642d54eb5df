// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the picture of an access pattern.
#pragma once

#include <QPainter>
#include <optional>

#include "viz/memory/pattern_picture.h"

namespace tileloom {

// `lane`: the lane whose words are framed.
void paintPattern(QPainter& painter, const PatternPicture& picture, const Theme& theme,
                  const Fonts& fonts, std::optional<std::uint32_t> lane = std::nullopt);

}  // namespace tileloom
