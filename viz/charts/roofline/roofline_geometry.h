// SPDX-License-Identifier: GPL-3.0-or-later
// Places the roofs, points and labels of the roofline in a picture of a given size.
#pragma once

#include <QSizeF>

#include "viz/charts/roofline/roofline_data.h"
#include "viz/charts/roofline/roofline_parts.h"

namespace tileloom::charts {

RooflineGeometry rooflineGeometry(const RooflineData& data, const QSizeF& size,
                                  const RooflineFonts& fonts);

}  // namespace tileloom::charts
