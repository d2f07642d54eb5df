// SPDX-License-Identifier: GPL-3.0-or-later
// One K tile of A or B as a picture of where its elements are: four looks that differ in more than
// colour. In flight is hatched, in shared memory is flat, in registers is bright, consumed is dark
// with dots; what has not been requested is empty.
#pragma once

#include <QImage>
#include <QRectF>

#include "kernels/analysis/order/progress.h"
#include "viz/base/paint/vector_fill.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

struct SlabPicture {
  QImage image;
  QRectF where;
};

// The K tile `ahead` of the one that is multiplied, drawn into a part of `whole`; see ClothPicture
// in cloth.h for `visible` and `density`.
SlabPicture slabPicture(const Scene& scene, const analysis::Progress& progress, const Theme& theme,
                        analysis::Matrix matrix, int ahead, const QRectF& whole,
                        const QRectF& visible, double density);

// The same picture on any device: as an image where there are pixels, `density` of them for each of
// the canvas, and as areas and lines elsewhere.
void paintSlab(QPainter& painter, const Scene& scene, const analysis::Progress& progress,
               const Theme& theme, analysis::Matrix matrix, int ahead, const QRectF& whole,
               const QRectF& visible, double density);

// The same look for a legend.
void fillWithLook(QImage& image, const Theme& theme, analysis::Matrix matrix,
                  analysis::DataState state, double density);
void paintLook(QPainter& painter, const QRectF& rect, const Theme& theme, analysis::Matrix matrix,
               analysis::DataState state);
// As areas and lines.
PatternLook lookOfState(const Theme& theme, analysis::Matrix matrix, analysis::DataState state);

}  // namespace tileloom
