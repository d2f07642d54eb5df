// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the race: the matrices with their words, the head above them and the foot. Private to
// viz/charts.
#pragma once

#include <vector>

#include "viz/base/theme.h"
#include "viz/charts/race/race_data.h"
#include "viz/charts/race/race_waves.h"

class QPainter;

namespace tileloom::charts {

// `waves`: of each racer.
void paintRace(QPainter& painter, const Race& race, const std::vector<RacerWaves>& waves,
               const QSizeF& size, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom::charts
