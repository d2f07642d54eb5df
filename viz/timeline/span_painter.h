// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the rows of a timeline: boxes of spans, and how busy a unit is.
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
  // Of one lane; not antialiased, because neighbouring boxes would merge.
  void drawBox(const TimelineBox& box) {
    drawArea(box);
    drawWords(box, box.rect);
  }
  // The same in two steps: the filling of a box, and its words in `shown`, its visible part, clear
  // of the instant.
  void drawArea(const TimelineBox& box);
  void drawWords(const TimelineBox& box, const QRectF& shown, std::optional<double> instant = {});

  // Where words of this width begin between pixels `from` and `to`: at `left`, or beside the
  // instant if it would cross them. std::nullopt: no room.
  static std::optional<double> clearOf(std::optional<double> instant, double left, double width,
                                       double from, double to);
  // The other warps, by their shares of the time of each column.
  void drawColumn(const TimelineColumn& column);

  // The height of an activity in its lane, from the bottom: multiplication fills it.
  static QRectF part(const QRectF& box, Doing doing);
  // Of a measured warp that works, or waits without a timestamp.
  static QColor untold(const Theme& theme, std::uint32_t warp);

 private:
  QColor hueOf(const timeline::Lane& lane, const timeline::Span& span, Doing doing) const;
  bool tellsNoMatrix(const timeline::Lane& lane, Doing doing) const;
  // The ground of words in a filled box.
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
