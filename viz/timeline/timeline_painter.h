// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "viz/base/theme.h"
#include "viz/timeline/timeline_geometry.h"

class QPainter;

namespace tileloom {

// The geometry's input for a canvas; `span`: the shown cycles.
TimelineInput timelineInput(const TimelineData& data, const QRectF& canvas, const CycleSpan& span,
                            const Fonts& fonts);

// The veil over a timeline of another tile, see TimelineData::another.
QColor dimmed(const Theme& theme);

// `hovered`: the span that the mouse points at, whose arrows are shown.
void paintTimeline(QPainter& painter, const TimelineData& data, const TimelineGeometry& geometry,
                   std::optional<TimelineGeometry::Spot> hovered, const Theme& theme,
                   const Fonts& fonts);

// The same for a condensed geometry, without words, instant and figures.
void paintCondensedTimeline(QPainter& painter, const TimelineData& data,
                            const TimelineGeometry& geometry, const Theme& theme,
                            const Fonts& fonts);
// The words of that picture, complete within the visible part of their boxes and K tiles, and clear
// of the instant, a pixel of the axis. Words on the axis end before `axisEnd`.
void paintCondensedWords(QPainter& painter, const TimelineData& data,
                         const TimelineGeometry& geometry, double axisEnd,
                         std::optional<double> instant, const Theme& theme, const Fonts& fonts);
// The names of the rows, to the left of them.
void paintRowNames(QPainter& painter, const TimelineData& data, const TimelineGeometry& geometry,
                   const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
