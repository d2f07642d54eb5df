// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_looks.h"

namespace tileloom::charts {

Qt::PenStyle raceFrame(RaceSpeed source) {
  return source == RaceSpeed::Live        ? Qt::SolidLine
         : source == RaceSpeed::Predicted ? Qt::DotLine
         : source == RaceSpeed::Stale     ? Qt::DashDotLine
                                          : Qt::DashLine;
}

QColor racerInk(const Racer& racer, const Theme& theme) {
  return racer.rung() == nullptr ? theme.text : theme.matrix(analysis::Matrix::C);
}

QColor blockDone(const Theme& theme) {
  return Theme::mix(theme.ground, theme.matrix(analysis::Matrix::C), 0.85);
}

QColor recordedFill(const QColor& ink, const Theme& theme) {
  return Theme::mix(theme.ground, ink, 0.45);
}

}  // namespace tileloom::charts
