// SPDX-License-Identifier: GPL-3.0-or-later
// Close up, a slab of A or B is longer than the picture is high or wide: its end fades out there,
// and words say how far it continues.
#pragma once

#include <QPainter>
#include <QString>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/theme.h"

namespace tileloom {

// One end of a slab that is outside the picture.
struct SlabEnd {
  QRectF fade;       // the visible end of the slab
  bool first;        // its first row (or column), above (or to the left); else its last one
  QString words;     // "to row 127"
  QRectF seen = {};  // the visible part of the whole slab
};

// `slab` shows the elements of `tile`; `view` is the visible part. None where the whole slab is
// visible, and none in the other direction, in which all of it is always visible.
std::vector<SlabEnd> slabEnds(analysis::Matrix matrix, const QRectF& slab,
                              const analysis::Region& tile, const QRectF& view);

// `reserved`: pixels at the right edge that the words leave free.
void paintSlabEnds(QPainter& painter, analysis::Matrix matrix, const std::vector<SlabEnd>& ends,
                   double reserved, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
