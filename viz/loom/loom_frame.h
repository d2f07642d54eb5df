// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the canvas of the loom: the picture, the words above and below it, and the figures.
#pragma once

#include <QRectF>

#include "viz/base/theme.h"

namespace tileloom {

struct LoomFrame {
  QRectF canvas;
  QRectF header;
  QRectF viewport;
  QRectF caption;
  QRectF side;    // for figures beside the matrices; empty on a narrow canvas
  QRectF legend;  // a line for the legend, without `side`
  // `aspect`: width over height of what the viewport should show, see loomAspect().
  static LoomFrame of(const QRectF& canvas, const Fonts& fonts, double aspect = 1.0);
};

}  // namespace tileloom
