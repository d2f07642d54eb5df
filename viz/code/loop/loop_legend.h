// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out the legend of the picture of a rewritten loop. It does not paint.
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "kernels/sass/mix.h"
#include "viz/base/theme.h"
#include "viz/code/loop/loop_data.h"

namespace tileloom {

struct LoopMark {
  enum class Kind { Clock, OtherWarp, Wait, Banks, Same, LoadToUse, LateUse, Instructions };
  Kind kind = Kind::Clock;
  sass::Class its = sass::Class::Other;  // of Instructions
  QString text;
  QRectF sample, words;
};

// All marks in the picture, line by line within `width` pixels from (0, 0). Empty: there is no
// loop.
std::vector<LoopMark> loopMarks(const LoopData& data, double width, const Fonts& fonts);

}  // namespace tileloom
