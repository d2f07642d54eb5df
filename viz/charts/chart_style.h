// SPDX-License-Identifier: GPL-3.0-or-later
// Styles and scales the axes of all charts.
#pragma once

#include "viz/base/theme.h"

class QCPAxis;

namespace tileloom::charts {

// Styles an axis with a thin line, a faint grid, and tick labels without tick marks.
void styleAxis(QCPAxis& axis, const Theme& theme, const Fonts& fonts, bool grid);

struct ValueRange {
  double low = 0;
  double high = 1;
  double step = 1;  // between ticks
  bool operator==(const ValueRange&) const = default;
};

// Bounds around [low, high]. The lower one is round; the upper one leaves `air`, a share of the
// height, free above the marks. The range starts at 0 if `fromZero`, or if the values nearly reach
// 0.
ValueRange niceRange(double low, double high, bool fromZero, double air);
// Increases the step until there are at most `most` labels.
void limitTicks(ValueRange& range, int most);
double niceStep(double least);  // 1, 2 or 5 times a power of ten, at least `least`

}  // namespace tileloom::charts
