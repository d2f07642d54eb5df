// SPDX-License-Identifier: GPL-3.0-or-later
// The looks of racers: the origin of a speed has its own frame. Private to viz/charts.
#pragma once

#include <QColor>

#include "viz/base/theme.h"
#include "viz/charts/race/race_data.h"

namespace tileloom::charts {

Qt::PenStyle raceFrame(RaceSpeed source);
QColor racerInk(const Racer& racer, const Theme& theme);  // cuBLAS has the ink of text
QColor blockDone(const Theme& theme);                     // a block that is done
QColor recordedFill(const QColor& ink, const Theme& theme);

}  // namespace tileloom::charts
