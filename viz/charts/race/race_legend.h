// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of the race: the shades of a block, and the frame of each kind of speed in the race.
// Private to viz/charts.
#pragma once

#include <QPointF>

#include "viz/base/theme.h"
#include "viz/charts/race/race_data.h"

class QPainter;

namespace tileloom::charts {

double raceLegendWidth(const Race& race, const Fonts& fonts);
// `from`: the middle of its left end.
void paintRaceLegend(QPainter& painter, const QPointF& from, const Race& race, const Theme& theme,
                     const Fonts& fonts);

}  // namespace tileloom::charts
