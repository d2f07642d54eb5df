// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/vector_fill.h"

#include <QLineF>
#include <QList>
#include <QPaintEngine>
#include <QPainter>
#include <QPen>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace tileloom {
namespace {

using Marks = PatternLook::Marks;
using Spans = std::vector<std::pair<double, double>>;

constexpr double kOver = 0.35;  // pixels that a cell reaches over its neighbour

QPen flatPen(const QColor& colour, double width) {
  QPen pen(colour, width);
  pen.setCapStyle(Qt::FlatCap);
  return pen;
}

// Spans of x (of y for vertical lines) by the number of their line.
class Lines {
 public:
  void add(int line, double from, double to) {
    if (to - from > 1e-6) m_spans[line].push_back({from, to});
  }
  // Spans that touch are one.
  template <class Draw>
  void each(Draw&& draw) {
    for (auto& [line, spans] : m_spans) {
      std::ranges::sort(spans);
      std::pair<double, double> now = spans.front();
      for (const auto& [from, to] : spans) {
        if (from > now.second + 1e-3) {
          draw(line, now.first, now.second);
          now = {from, to};
        } else {
          now.second = std::max(now.second, to);
        }
      }
      draw(line, now.first, now.second);
    }
  }

 private:
  std::map<int, Spans> m_spans;
};

std::pair<int, int> numbersIn(double from, double to, double first, double pitch) {
  return {static_cast<int>(std::ceil((from - first) / pitch)),
          static_cast<int>(std::floor((to - first) / pitch))};
}

void slanted(QPainter& p, std::span<const QRectF> rects, const PatternLook& look,
             const QPointF& origin) {
  // Lines of x + y (rising on the screen, where y goes down) or of x - y.
  const double sign = look.marks == Marks::Rising ? 1 : -1;
  const double first = look.first + origin.x() + sign * origin.y();
  Lines lines;
  for (const QRectF& r : rects) {
    const double low = sign > 0 ? r.top() : -r.bottom(), high = sign > 0 ? r.bottom() : -r.top();
    const auto [begin, end] = numbersIn(r.left() + low, r.right() + high, first, look.pitch);
    for (int n = begin; n <= end; ++n) {
      const double sum = first + n * look.pitch;
      lines.add(n, std::max(r.left(), sum - high), std::min(r.right(), sum - low));
    }
  }
  QList<QLineF> drawn;
  lines.each([&](int n, double from, double to) {
    const double sum = first + n * look.pitch;
    drawn.push_back({from, sign * (sum - from), to, sign * (sum - to)});
  });
  p.setPen(flatPen(look.mark, look.width / std::numbers::sqrt2));
  p.drawLines(drawn);
}

void straight(QPainter& p, std::span<const QRectF> rects, const PatternLook& look,
              const QPointF& origin) {
  const bool across = look.marks != Marks::Upright;
  const double first = look.first + (across ? origin.y() : origin.x());
  Lines lines;
  for (const QRectF& r : rects) {
    const auto [begin, end] =
        across
            ? numbersIn(r.top() + look.width / 2, r.bottom() - look.width / 2, first, look.pitch)
            : numbersIn(r.left() + look.width / 2, r.right() - look.width / 2, first, look.pitch);
    for (int n = begin; n <= end; ++n)
      lines.add(n, across ? r.left() : r.top(), across ? r.right() : r.bottom());
  }
  QPen pen = flatPen(look.mark, look.width);
  const bool dots = look.marks == Marks::Dots;
  if (dots) pen.setDashPattern({1.0, look.pitch / look.width - 1});
  p.setPen(pen);
  QList<QLineF> drawn;
  lines.each([&](int n, double from, double to) {
    const double at = first + n * look.pitch;
    if (dots) {
      // A dash begins where the line does: there a dot has its left edge.
      const double start = look.first + origin.x() - look.width / 2;
      from = start + std::ceil((from - start) / look.pitch - 1e-9) * look.pitch;
      if (from + look.width > to) return;
    }
    drawn.push_back(across ? QLineF(from, at, to, at) : QLineF(at, from, at, to));
  });
  p.drawLines(drawn);
}

void drawMarks(QPainter& p, std::span<const QRectF> rects, const PatternLook& look,
               const QPointF& origin) {
  if (look.marks == Marks::None) return;
  p.save();
  p.setBrush(Qt::NoBrush);
  if (look.marks == Marks::Rising || look.marks == Marks::Falling) {
    slanted(p, rects, look, origin);
  } else {
    straight(p, rects, look, origin);
  }
  p.restore();
}

}  // namespace

bool paintsPixels(const QPainter& painter) {
  return painter.device()->devType() != QInternal::Picture &&
         painter.paintEngine()->type() == QPaintEngine::Raster;
}

void fillCells(QPainter& p, std::span<const QRectF> rects, const QColor& colour,
               const QRectF& within) {
  QPainterPath area;
  area.setFillRule(Qt::WindingFill);
  for (const QRectF& r : rects) {
    if (!r.isEmpty()) area.addRect(r.adjusted(0, 0, kOver, kOver) & within);
  }
  p.fillPath(area, colour);
}

void fillLook(QPainter& p, std::span<const QRectF> rects, const PatternLook& look,
              const QPointF& origin) {
  QPainterPath area;
  area.setFillRule(Qt::WindingFill);
  for (const QRectF& r : rects) {
    if (!r.isEmpty()) area.addRect(r);
  }
  p.fillPath(area, look.plain);
  drawMarks(p, rects, look, origin);
}

void fillLook(QPainter& p, const QPainterPath& area, const PatternLook& look,
              const QPointF& origin) {
  p.fillPath(area, look.plain);
  if (look.marks == Marks::None) return;
  p.save();
  p.setClipPath(area, Qt::IntersectClip);
  const QRectF all = area.boundingRect();
  drawMarks(p, std::span(&all, 1), look, origin);
  p.restore();
}

void drawRisingLines(QPainter& p, const QRectF& rect, const QColor& colour, double pitch,
                     double width, const QPointF& origin) {
  drawMarks(p, std::span(&rect, 1), {{}, colour, Marks::Rising, pitch, width}, origin);
}

}  // namespace tileloom
