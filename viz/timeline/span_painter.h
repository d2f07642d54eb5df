// SPDX-License-Identifier: GPL-3.0-or-later
// Paints what stands in the rows of a timeline: boxes of spans, and how busy a unit is.
#pragma once

#include <optional>

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
  void drawBox(const TimelineBox& box) {
    drawArea(box);
    drawWords(box, box.rect);
  }
  // The same in two: what a box is filled with, and what it says, in `shown`, the part of it that
  // is in sight, and clear of the instant.
  void drawArea(const TimelineBox& box);
  void drawWords(const TimelineBox& box, const QRectF& shown, std::optional<double> instant = {});

  // Where words of this width begin that would begin at `left`, in pixels from `from` to `to`:
  // there, or beside the instant that would run through them. std::nullopt: they have no room.
  static std::optional<double> clearOf(std::optional<double> instant, double left, double width,
                                       double from, double to);
  // The other warps, by their shares of the time of each column.
  void drawColumn(const TimelineColumn& column);

  // The height that a deed has in its lane, from the bottom: what multiplies fills it.
  static QRectF part(const QRectF& box, Doing doing);
  // Of a measured warp that works or waits where no stamp tells.
  static QColor untold(const Theme& theme, std::uint32_t warp);

 private:
  QColor hueOf(const timeline::Lane& lane, const timeline::Span& span, Doing doing) const;
  bool tellsNoMatrix(const timeline::Lane& lane, Doing doing) const;
  // Behind words, where a box is filled.
  QColor fillOf(const timeline::Lane& lane, const timeline::Span& span, Doing doing) const;
  void drawDeed(const QRectF& rect, const timeline::Span& span, const QColor& ground,
                std::optional<double> instant);
  void drawSleepWords(const QRectF& shown, const timeline::Span& span,
                      std::optional<double> instant);
  void drawSleep(const QRectF& box);
  void drawJoined(const TimelineBox& box, const timeline::Lane& lane, const timeline::Span& first);

  QPainter& p;
  const TimelineData& d;
  const TimelineGeometry& g;
  const Theme& t;
  const Fonts& f;
};

}  // namespace tileloom
