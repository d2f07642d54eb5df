// SPDX-License-Identifier: GPL-3.0-or-later
// The page Access pattern as an exported picture: the pattern, the grid, and the sentences below
// it.
#pragma once

#include <QPainter>

#include "viz/memory/pattern_picture.h"
#include "viz/memory/pattern_shown.h"

namespace tileloom {

struct PatternSheet {
  QString title, what, verdict, hint;
  QRectF titleRoom, whatRoom, grid, verdictRoom, hintRoom;  // pixels
  double height = 0;                                        // that all of it needs
};

// `size`: pixels; a height of 0: as high as it needs to be.
PatternSheet patternSheet(const PatternShown& shown, const QSizeF& size, const Fonts& fonts);
void paintPatternSheet(QPainter& painter, const PatternShown& shown, const QSizeF& size,
                       const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
