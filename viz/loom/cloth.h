// SPDX-License-Identifier: GPL-3.0-or-later
// The block tile of C as cloth: each cell has the hue of its warp and becomes more solid with every
// product that its sum receives. Nothing else makes it brighter or darker: lanes differ in how
// saturated they are, and the watched warp has the thicker frame.
#pragma once

#include <QImage>
#include <QPainter>
#include <QRectF>

#include "kernels/analysis/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

// How much more solid than others a sum looks that has the product of the present dot index.
inline constexpr double kStepAhead = 0.10;

// How solid a sum of `products` out of `all` looks, from 0 to 1: each doubling of the products adds
// the same, so that the first dot index can be seen and the last one, too.
double solidity(std::uint32_t products, std::uint32_t all);

// The colour of a sum that is so solid, of a lane with this even colour (Theme::evenLane).
QColor sumColour(const Theme& theme, const QColor& lane, double solidity, double ahead = 0);

// The colour of lines between neighbouring threads' sums that are so solid, which can be seen
// however solid they are.
QColor seamColour(const Theme& theme, const QColor& lane, double solidity);

// A sum's colour while it glows, `light` from 0 to 1: the hue of its warp, towards the ink.
QColor glowing(const Theme& theme, const QColor& colour, std::uint32_t warp, double light);

// Pixels of a picture that is drawn into a part of `whole`, the block tile: only what lies within
// `visible` is made. `density` is how many pixels the picture has for each of the canvas.
struct ClothPicture {
  QImage image;
  QRectF where;
};
ClothPicture clothPicture(const Scene& scene, const analysis::Progress& progress,
                          const Theme& theme, const QRectF& whole, const QRectF& visible,
                          double density);

// The same on any device: as an image where there are pixels. Elsewhere each sum is an area, those
// of one look together, and the threads' relief is dashed lines over them.
void paintCloth(QPainter& painter, const Scene& scene, const analysis::Progress& progress,
                const Theme& theme, const QRectF& whole, const QRectF& visible, double density);

// How strongly what has happened at `stamp` still glows: 1 for the instruction of the scene, less
// for what came before it in the same picture, 0 for everything else.
double glow(const Scene& scene, std::uint32_t stamp);

}  // namespace tileloom
