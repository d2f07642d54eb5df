// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/chart_style.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "viz/base/widgets/painted_view.h"

namespace tileloom::charts {

void styleAxis(QCPAxis& axis, const Theme& theme, const Fonts& fonts, bool grid) {
  axis.setBasePen(hairline(theme.line));
  axis.setTickPen(Qt::NoPen);
  axis.setSubTicks(false);
  axis.setTickLengthIn(0);
  axis.setTickLabelFont(fonts.small);
  axis.setTickLabelColor(theme.soft);
  axis.setTickLabelPadding(5);
  axis.setPadding(0);
  axis.setLabelPadding(0);
  axis.grid()->setVisible(grid);
  axis.grid()->setPen(hairline(Theme::mix(theme.panel, theme.line, 0.6)));
  axis.grid()->setZeroLinePen(Qt::NoPen);
  axis.grid()->setSubGridVisible(false);
}

double niceStep(double least) {
  if (!(least > 0) || !std::isfinite(least)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

ValueRange niceRange(double low, double high, bool fromZero, double air) {
  high = std::max(high, 1e-6);
  // A single value would give an empty range.
  if (high - low < 0.02 * high) {
    low -= 0.05 * high;
    high += 0.05 * high;
  }
  if (fromZero || low < 0.45 * high) low = 0;
  ValueRange range;
  range.step = niceStep((high - low) / 3);
  const double below = low - 0.06 * (high - low);
  range.low = low == 0 ? 0 : std::max(0.0, std::floor(below / range.step) * range.step);
  range.high = high + air * (high - range.low);
  return range;
}

void limitTicks(ValueRange& range, int most) {
  while ((range.high - range.low) / range.step > std::max(1, most)) {
    range.step = niceStep(range.step * 1.5);
  }
}

}  // namespace tileloom::charts
