// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of all charts.
#pragma once

#include "viz/base/theme.h"

class QCPAxis;

namespace tileloom::charts {

// Styles an axis with a thin line, a faint grid, and ticks that have labels only.
void styleAxis(QCPAxis& axis, const Theme& theme, const Fonts& fonts, bool grid);

struct ValueRange {
  double low = 0;
  double high = 1;
  double step = 1;  // between ticks
  bool operator==(const ValueRange&) const = default;
};

// Bounds around [low, high]. The lower one is round; the upper one leaves `air`, a share of the
// height, free for what is drawn above a mark. The range starts at 0 if `fromZero`, or if the
// values spread nearly that far.
ValueRange niceRange(double low, double high, bool fromZero, double air);
// Makes the step so large that there are at most `most` labels.
void limitTicks(ValueRange& range, int most);
double niceStep(double least);  // 1, 2 or 5 times a power of ten, at least `least`

}  // namespace tileloom::charts
