// SPDX-License-Identifier: GPL-3.0-or-later
// The block tile of C as cloth: each cell has the hue of its warp and the shade of its lane, and
// becomes more solid with every product that its sum receives.
#pragma once

#include <QImage>
#include <QRectF>

#include "kernels/analysis/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

// How solid a sum of `products` out of `all` looks, from 0 to 1: each doubling of the products adds
// the same, so that the first dot index can be seen and the last one, too.
double solidity(std::uint32_t products, std::uint32_t all);

// The colour of a sum that is so solid, of a lane with this colour.
QColor sumColour(const Theme& theme, const QColor& lane, double solidity, double ahead = 0);

// Pixels of a picture that is drawn into a part of `whole`, the block tile: only what lies within
// `visible` is made. `density` is how many pixels the picture has for each of the canvas.
struct ClothPicture {
  QImage image;
  QRectF where;
};
ClothPicture clothPicture(const Scene& scene, const analysis::Progress& progress,
                          const Theme& theme, const QRectF& whole, const QRectF& visible,
                          double density);

// How strongly what has happened at `stamp` still glows: 1 for the instruction of the scene, less
// for what came before it in the same picture, 0 for everything else.
double glow(const Scene& scene, std::uint32_t stamp);

}  // namespace tileloom
