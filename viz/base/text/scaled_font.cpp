// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/scaled_font.h"

#include <QtGlobal>
#include <algorithm>

namespace tileloom {

QFont scaledFont(const QFont& base, double by) {
  QFont font = base;
  if (base.pixelSize() > 0) {
    font.setPixelSize(std::max(1, qRound(base.pixelSize() * by)));
  } else {
    font.setPointSizeF(base.pointSizeF() * by);
  }
  return font;
}

}  // namespace tileloom
