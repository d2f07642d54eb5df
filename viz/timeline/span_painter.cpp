// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/timeline/span_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/marks.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {

using timeline::Lane;
using timeline::LaneKind;
using timeline::Span;

namespace {

constexpr double kWordMargin = 4;
constexpr double kLeastArea = 12;  // pixels of width from which a box is outlined

bool isFlight(const Lane& lane) {
  return lane.kind == LaneKind::Flight || lane.kind == LaneKind::Leaving;
}

}  // namespace

void SpanPainter::drawBusy(const TimelineRow& row) {
  const timeline::Curve& curve = d.timeline->curves[static_cast<std::size_t>(row.unit)];
  const QRectF area = row.rect.adjusted(0, 2, 0, -1);
  QPainterPath path(area.bottomLeft());
  const double step = std::max((g.to - g.from) / area.width() * 2, curve.step);
  for (double cycle = std::floor(g.from / step) * step; cycle < g.to; cycle += step) {
    const double y =
        area.bottom() - std::clamp(curve.between(cycle, cycle + step), 0.0, 1.0) * area.height();
    path.lineTo(std::max(area.left(), g.xOf(cycle)), y);
    path.lineTo(std::min(area.right(), g.xOf(cycle + step)), y);
  }
  path.lineTo(area.bottomRight());
  path.closeSubpath();
  p.fillPath(path, Theme::faded(t.matrix(analysis::Matrix::C), 0.75));
  p.setPen(hairline(t.line));
  p.drawLine(area.topLeft(), area.topRight());
}

// Timestamps do not distinguish matrices.
bool SpanPainter::tellsNoMatrix(const Lane& lane, Doing doing) const {
  return d.measured && !isFlight(lane) && doing == Doing::Ask;
}

QColor SpanPainter::hueOf(const Lane& lane, const Span& span, Doing doing) const {
  switch (doing) {
    case Doing::Multiply:
      return lane.kind == LaneKind::Warp ? t.warp(lane.number) : t.matrix(analysis::Matrix::C);
    case Doing::Fragments:
    case Doing::Fill:
    case Doing::Ask:
    case Doing::Store:
      return t.matrix(span.matrix);
    default:
      return span.work == timeline::Work::Between ? untold(t, lane.number) : t.soft;
  }
}

QColor SpanPainter::untold(const Theme& theme, std::uint32_t warp) {
  return Theme::mix(theme.ground, theme.warp(warp), 0.45);
}

// The height of an activity in its lane, from the bottom: multiplication fills it.
QRectF SpanPainter::part(const QRectF& box, Doing doing) {
  const double share = doing == Doing::Fragments ? 0.62
                       : doing == Doing::Fill    ? 0.8
                       : doing == Doing::Ask     ? 0.9
                       : doing == Doing::Order   ? 0.45
                                                 : 1.0;
  return {box.left(), box.bottom() - share * box.height(), box.width(), share * box.height()};
}

QColor SpanPainter::fillOf(const Lane& lane, const Span& span, Doing doing) const {
  const QColor hue = hueOf(lane, span, doing);
  return isFlight(lane) ? Theme::mix(t.ground, hue, 0.8) : hue;
}

void SpanPainter::drawArea(const TimelineBox& box) {
  const Lane& lane = d.timeline->lanes[box.lane];
  const Span& span = lane.spans[box.first];
  if (box.joined()) {
    drawJoined(box, lane, span);
    return;
  }
  const Doing doing = doingOf(span.work);
  if (doing == Doing::Wait) {
    drawSleep(box.rect);
    return;
  }
  const bool flight = isFlight(lane);
  const QRectF rect = flight ? box.rect : part(box.rect, doing);
  const QColor hue = hueOf(lane, span, doing);
  if (tellsNoMatrix(lane, doing)) {
    const double half = rect.height() / 2;
    p.fillRect(rect.adjusted(0, 0, 0, -half), t.matrix(analysis::Matrix::A));
    p.fillRect(rect.adjusted(0, half, 0, 0), t.matrix(analysis::Matrix::B));
    return;
  }
  p.fillRect(rect, flight ? Theme::faded(hue, 0.8) : hue);
  if (box.rect.width() < kLeastArea) return;
  p.setPen(hairline(Theme::mix(hue, t.ground, 0.45)));
  p.drawLine(rect.topLeft(), rect.bottomLeft());
}

std::optional<double> SpanPainter::clearOf(std::optional<double> instant, double left, double width,
                                           double from, double to) {
  constexpr double kClear = 5;  // pixels on either side, for its sign
  const auto fits = [&](double at) { return at >= from - 1e-6 && at + width <= to + 1e-6; };
  if (!fits(left)) return std::nullopt;
  if (!instant || *instant < left - kClear || *instant > left + width + kClear) return left;
  for (const double at : {*instant + kClear, *instant - kClear - width}) {
    if (fits(at)) return at;
  }
  return std::nullopt;
}

void SpanPainter::drawWords(const TimelineBox& box, const QRectF& shown,
                            std::optional<double> instant) {
  if (box.joined() || shown.width() < kLeastArea) return;
  const Lane& lane = d.timeline->lanes[box.lane];
  const Span& span = lane.spans[box.first];
  const Doing doing = doingOf(span.work);
  if (doing == Doing::Wait) {
    drawSleepWords(shown, span, instant);
  } else if (!tellsNoMatrix(lane, doing)) {
    drawDeed(isFlight(lane) ? shown : part(shown, doing), span, fillOf(lane, span, doing), instant);
  }
}

void SpanPainter::drawDeed(const QRectF& rect, const Span& span, const QColor& ground,
                           std::optional<double> instant) {
  const QFontMetricsF small(f.small);
  if (rect.height() < small.ascent() + 1) return;
  for (const QString& words : boxWords(d, span)) {
    const double width = small.horizontalAdvance(words);
    const auto left = clearOf(instant, rect.left() + kWordMargin, width, rect.left() + kWordMargin,
                              rect.right() - kWordMargin);
    if (!left) continue;
    p.setFont(f.small);
    p.setPen(Theme::ink(ground));
    p.drawText(QRectF(QPointF(*left, rect.top()), rect.bottomRight() - QPointF(kWordMargin, 0)),
               Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, words);
    return;
  }
}

// Lines without a ground: the warp does nothing here.
void SpanPainter::drawSleep(const QRectF& box) {
  const QRectF rect = box.adjusted(0, 0, -0.5, -0.5);
  const QColor ink = Theme::mix(t.ground, t.soft, 0.62);
  if (rect.width() < 3) {
    p.fillRect(box, Theme::faded(ink, 0.3));
    return;
  }
  figures::drawHatch(p, rect, ink);
  p.setPen(hairline(ink));
  p.setBrush(Qt::NoBrush);
  p.drawRect(rect);
}

void SpanPainter::drawSleepWords(const QRectF& shown, const Span& span,
                                 std::optional<double> instant) {
  const QRectF rect = shown.adjusted(0, 0, -0.5, -0.5);
  const QFontMetricsF small(f.small);
  if (rect.height() < small.ascent() + 1) return;
  for (const QString& words : boxWords(d, span)) {
    const double width = small.horizontalAdvance(words) + 2 * kWordMargin;
    if (width > rect.width() - 2) continue;
    const auto left =
        clearOf(instant, rect.center().x() - width / 2, width, rect.left(), rect.right());
    if (!left) continue;
    // No line crosses the words.
    const QRectF plate(*left, rect.top() + 1, width, rect.height() - 1.5);
    p.fillRect(plate, t.ground);
    p.setFont(f.small);
    p.setPen(t.soft);
    p.drawText(plate, Qt::AlignCenter | Qt::TextDontClip, words);
    return;
  }
}

// Several spans in a few pixels: one above the other, as high as their shares of the time.
void SpanPainter::drawJoined(const TimelineBox& box, const Lane& lane, const Span& first) {
  double bottom = box.rect.bottom();
  for (std::size_t i = 0; i < kDoings; ++i) {
    const auto doing = static_cast<Doing>(i);
    const double height = static_cast<double>(box.shares[i]) * box.rect.height();
    if (height <= 0) continue;
    QColor hue = hueOf(lane, first, doing);
    for (std::uint32_t s = box.first; s < box.first + box.count; ++s) {
      if (doingOf(lane.spans[s].work) == doing) {
        hue = hueOf(lane, lane.spans[s], doing);
        break;
      }
    }
    if (doing == Doing::Wait) hue = Theme::faded(Theme::mix(t.ground, t.soft, 0.62), 0.3);
    p.fillRect(QRectF(box.rect.left(), bottom - height, box.rect.width(), height), hue);
    bottom -= height;
  }
}

void SpanPainter::drawColumn(const TimelineColumn& column) {
  double bottom = column.rect.bottom();
  const auto stack = [&](double share, const QColor& hue) {
    const double height = share * column.rect.height();
    if (height < 0.05) return;
    p.fillRect(QRectF(column.rect.left(), bottom - height, column.rect.width(), height), hue);
    bottom -= height;
  };
  using analysis::Matrix;
  stack(column.multiply, t.matrix(Matrix::C));
  stack(column.moves[0], t.matrix(Matrix::A));
  stack(column.moves[1], t.matrix(Matrix::B));
  stack(column.moves[2], Theme::mix(t.matrix(Matrix::C), t.ground, 0.4));
  stack(column.orders, t.soft);
}

}  // namespace tileloom
