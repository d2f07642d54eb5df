// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the head of the race: the time of the launches at the left, the progress of each racer at
// the right. Private to viz/charts.
#pragma once

#include "viz/base/theme.h"
#include "viz/charts/race/race_data.h"

class QPainter;

namespace tileloom::charts {

// Nothing, if a picture of this size has no room for it.
void paintRaceTrack(QPainter& painter, const Race& race, const QSizeF& size, const Theme& theme,
                    const Fonts& fonts);

}  // namespace tileloom::charts
