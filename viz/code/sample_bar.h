// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the bar of how often warps were sampled at an instruction or a line, and its legend.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>

#include "viz/base/theme.h"
#include "viz/code/stall_facts.h"

namespace tileloom {

// `most`, the largest share, is the full width. The first part: a warp could issue; the second
// part, in the colour of trouble: it waited.
void paintSampleBar(QPainter& p, const QRectF& bar, const model::StallShare& share, double most,
                    const Theme& theme);

// The legend in one line, from the left end of `room` on.
void paintSampleKey(QPainter& p, const QRectF& room, const Theme& theme, const QFont& font);
double sampleKeyWidth(const QFont& font);

// "sampled, whole launch, H200 at 4096"
QString sampleScope(const StallFacts& stalls);

}  // namespace tileloom
