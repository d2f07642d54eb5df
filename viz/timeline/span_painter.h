// SPDX-License-Identifier: GPL-3.0-or-later
// Paints what stands in the rows of a timeline: boxes of spans, and how busy a unit is.
#pragma once

#include "viz/base/theme.h"
#include "viz/timeline/timeline_geometry.h"

class QPainter;

namespace tileloom {

class SpanPainter {
 public:
  // All of them must outlive it.
  SpanPainter(QPainter& painter, const TimelineData& data, const TimelineGeometry& geometry,
              const Theme& theme, const Fonts& fonts)
      : p(painter), d(data), g(geometry), t(theme), f(fonts) {}

  void drawBusy(const TimelineRow& row);
  // Of one lane; not antialiased, or neighbours would run into each other.
  void drawBox(const TimelineBox& box);
  // The other warps, by their shares of the time of each column.
  void drawColumn(const TimelineColumn& column);

  // The height that a deed has in its lane, from the bottom: what multiplies fills it.
  static QRectF part(const QRectF& box, Doing doing);
  // Of a measured warp that works or waits where no stamp tells.
  static QColor untold(const Theme& theme, std::uint32_t warp);

 private:
  QColor hueOf(const timeline::Lane& lane, const timeline::Span& span, Doing doing) const;
  void drawWords(const QRectF& rect, const timeline::Span& span, const QColor& ground);
  void drawSleep(const TimelineBox& box, const timeline::Span& span);
  void drawJoined(const TimelineBox& box, const timeline::Lane& lane, const timeline::Span& first);

  QPainter& p;
  const TimelineData& d;
  const TimelineGeometry& g;
  const Theme& t;
  const Fonts& f;
};

}  // namespace tileloom
