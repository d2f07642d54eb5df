// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/loom_paint.h"

#include <QFontMetricsF>

namespace tileloom {

QSizeF laneRoom(const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  return {std::max(26.0, small.horizontalAdvance(QStringLiteral("88")) + 6),
          std::max(18.0, small.height() + 2)};
}

}  // namespace tileloom
