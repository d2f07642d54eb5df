// SPDX-License-Identifier: GPL-3.0-or-later
// The block tile of C as cloth: each cell has the hue of its warp and becomes more solid with every
// product that its sum receives. Nothing else changes its brightness: lanes differ in saturation,
// and the watched warp has a thicker frame.
#pragma once

#include <QImage>
#include <QPainter>
#include <QRectF>

#include "kernels/analysis/order/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

// How much more solid a sum looks that already has the product of the present k.
inline constexpr double kStepAhead = 0.10;

// How solid a sum of `products` out of `all` looks, from 0 to 1: each doubling of the products adds
// the same, so that both the first and the last k can be seen.
double solidity(std::uint32_t products, std::uint32_t all);

// The colour of a sum of this solidity, of a lane with this even colour (Theme::evenLane).
QColor sumColour(const Theme& theme, const QColor& lane, double solidity, double ahead = 0);

// The colour of lines between neighbouring threads' sums of this solidity; visible at any solidity.
QColor seamColour(const Theme& theme, const QColor& lane, double solidity);

// A sum's colour while it glows, `light` from 0 to 1: the hue of its warp, towards the ink.
QColor glowing(const Theme& theme, const QColor& colour, std::uint32_t warp, double light);

// Pixels of a picture that is drawn into a part of `whole`, the block tile: only what is within
// `visible` is made. `density`: pixels of the picture per pixel of the canvas.
struct ClothPicture {
  QImage image;
  QRectF where;
};
ClothPicture clothPicture(const Scene& scene, const analysis::Progress& progress,
                          const Theme& theme, const QRectF& whole, const QRectF& visible,
                          double density);

// The same on any device: an image where there are pixels. Elsewhere each sum is an area, grouped
// by look, with the relief of the threads as dashed lines.
void paintCloth(QPainter& painter, const Scene& scene, const analysis::Progress& progress,
                const Theme& theme, const QRectF& whole, const QRectF& visible, double density);

// How strongly an event at `stamp` still glows: 1 for the instruction of the scene, less for
// earlier ones in the same picture, 0 for everything else.
double glow(const Scene& scene, std::uint32_t stamp);

}  // namespace tileloom
