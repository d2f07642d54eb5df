// SPDX-License-Identifier: GPL-3.0-or-later
// Close up, a slab of A or B is longer than the picture is high or wide: its end fades out there,
// and words say how far it goes on.
#pragma once

#include <QPainter>
#include <QString>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/theme.h"

namespace tileloom {

// One end of a slab that lies outside of the picture.
struct SlabEnd {
  QRectF fade;       // the last of the slab that is seen
  bool first;        // its first row (or column), above (or to the left); else its last one
  QString words;     // "to row 127"
  QRectF seen = {};  // of the whole slab
};

// `slab` shows the elements of `tile`; `view` is what can be seen. None where it is seen whole, and
// none of the other direction, in which a slab is always whole.
std::vector<SlabEnd> slabEnds(analysis::Matrix matrix, const QRectF& slab,
                              const analysis::Region& tile, const QRectF& view);

// `reserved`: pixels at the right edge that the words leave free.
void paintSlabEnds(QPainter& painter, analysis::Matrix matrix, const std::vector<SlabEnd>& ends,
                   double reserved, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
