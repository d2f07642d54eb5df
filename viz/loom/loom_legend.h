// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of the loom: where the elements of A and B are, and how many products a sum of C
// holds. It is at the foot of the column beside the matrices, or else in one line below them.
#pragma once

#include <QPainter>
#include <QRectF>

#include "kernels/analysis/order/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

// How high the legend is as a block.
double loomLegendHeight(const Fonts& fonts);

// As a block at the foot of `column`. `progress`: of the scene's instant, which the scale marks.
void paintLoomLegend(QPainter& painter, const QRectF& column, const Scene& scene,
                     const analysis::Progress& progress, const Theme& theme, const Fonts& fonts);

// As one line; entries without room are omitted, the sums last.
void paintLoomLegendLine(QPainter& painter, const QRectF& line, const Scene& scene,
                         const analysis::Progress& progress, const Theme& theme,
                         const Fonts& fonts);

}  // namespace tileloom
