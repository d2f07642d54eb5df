// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_parts.h"

#include <QFontMetricsF>
#include <cmath>

namespace tileloom::charts {

double LogAxis::at(double value) const {
  const double share = std::log(std::max(value, 1e-12) / low) / std::log(high / low);
  return from + share * (to - from);
}

double LogAxis::valueAt(double pixel) const {
  return low * std::pow(high / low, (pixel - from) / (to - from));
}

QFont numberFont(const QFont& small) {
  QFont font = small;
  font.setWeight(QFont::DemiBold);
  return font;
}

double numberWidth(const QFont& small, const QString& number) {
  if (number.isEmpty()) return 0;
  return QFontMetricsF(numberFont(small)).horizontalAdvance(number) + 5;
}

}  // namespace tileloom::charts
