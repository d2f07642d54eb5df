// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/base/figure_text.h"
#include "viz/charts/label_places.h"
#include "viz/charts/roofline_labels.h"
#include "viz/charts/roofline_words.h"

namespace tileloom::charts {
namespace {

using model::MemoryLevel;
using model::Roof;

constexpr double kFactsFrom = 640;    // pixels of width from which on numbers stand beside
constexpr double kMostLabels = 0.25;  // of the width, for labels to the right of the last point
constexpr double kLabelGap = 50;      // from that point to its label
constexpr double kNear = 12;          // pixels within which a point is meant
constexpr double kRoofGap = 4;        // between a roof and its text
constexpr double kKeyGap = 14;        // between the names of levels
constexpr double kNumbersFrom = 320;  // width of the plot, twice its height, for numbers in marks

std::vector<MemoryLevel> levelsOf(RooflineLevel level) {
  switch (level) {
    case RooflineLevel::Dram:
      return {MemoryLevel::Dram};
    case RooflineLevel::L2:
      return {MemoryLevel::L2};
    case RooflineLevel::Shared:
      return {MemoryLevel::Shared};
    case RooflineLevel::All:
      break;
  }
  return {MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::Shared};
}

std::vector<int> indices(const RooflineData& data) {
  std::vector<int> all;
  if (data.present) all.push_back(-1);
  for (int i = 0; i < static_cast<int>(data.rungs.size()); ++i) all.push_back(i);
  return all;
}

std::optional<double> speedOf(const RooflinePoint& point) {
  if (point.gflops.known()) return point.gflops.median;
  if (point.predicted) return point.predicted->median;
  return std::nullopt;
}

// Under the roof of another level a point of this one says nothing.
bool seen(const RooflineData& data, Roof roof) {
  const auto level = levelOf(roof);
  const std::vector<MemoryLevel> shown = levelsOf(data.level);
  return !level || std::ranges::find(shown, *level) != shown.end();
}

// The lowest and highest of what is to be seen, with air.
void setRanges(RooflineGeometry& g, const RooflineData& data, double labels, double line) {
  double last = 0;  // the rightmost point
  double left = std::numeric_limits<double>::max(), right = 0, bottom = left, top = 0;
  for (const int i : indices(data)) {
    const RooflinePoint& p = data.point(i);
    bool stands = false;  // at a level that is shown
    for (const MemoryLevel level : levelsOf(data.level)) {
      const auto intensity = p.traffic.intensity(level);
      if (!intensity) continue;
      stands = true;
      left = std::min(left, *intensity);
      right = std::max(right, *intensity);
      last = right;
    }
    const auto speed = speedOf(p);
    if (!stands || !speed) continue;
    bottom = std::min(bottom, *speed);
    top = std::max(top, *speed);
  }
  const auto peak = ceilingOf(data.ceilings, Roof::Fma);
  if (peak) {
    top = std::max(top, *peak);
    for (const Roof roof : model::kMemoryRoofs) {
      const auto bandwidth = ceilingOf(data.ceilings, roof);
      if (!bandwidth) continue;
      if (!seen(data, roof)) continue;
      // The ridge, and so much before it that the slope and its name can be seen.
      right = std::max(right, 2 * *peak / *bandwidth);
      left = std::min(left, *peak / *bandwidth / 8);
    }
  }
  if (right <= 0) left = 1, right = 100;
  if (top <= 0) top = 1e5;
  g.x.low = left / 1.25;
  g.x.high = right * 1.25;
  // So far that labels find room to the right of the last point.
  const double share = std::min(labels / g.plot.width(), kMostLabels);
  if (last > 0) g.x.high = std::max(g.x.high, g.x.low * std::pow(last / g.x.low, 1 / (1 - share)));
  // Above the top there is room for one line of text, the name of the pipes' roof.
  g.y.low = std::min(bottom / 1.35, top / 30);
  const double above = std::min(0.3, (line + 8) / g.plot.height());
  g.y.high = top * std::pow(top / g.y.low, above / (1 - above));
}

void setTicks(RooflineGeometry& g) {
  const auto ticks = [](const LogAxis& axis, double space, auto&& words) {
    std::vector<RooflineTick> all;
    const double decades = std::log10(axis.high / axis.low);
    // Between the decades 2 and 5, where there is room for their numbers.
    const bool between = std::abs(axis.to - axis.from) / decades > 3.5 * space;
    for (int power = static_cast<int>(std::floor(std::log10(axis.low)));
         std::pow(10, power) <= axis.high; ++power) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10, power);
        if (value < axis.low || value > axis.high) continue;
        if (factor == 1.0 || between) all.push_back({axis.at(value), words(value)});
      }
    }
    return all;
  };
  // Ticks are 1, 2 or 5 times a power of ten: as many digits as that has.
  const auto plain = [](double value) {
    return figures::grouped(value,
                            value < 1 ? static_cast<int>(std::ceil(-std::log10(value) - 1e-9)) : 0);
  };
  g.xTicks = ticks(g.x, 46, plain);
  g.yTicks = ticks(g.y, 22, speedTick);
}

// The roofs as far as they bind alone: up to the pipes' ceiling.
void setRoofs(RooflineGeometry& g, const RooflineData& data) {
  const auto peak = ceilingOf(data.ceilings, Roof::Fma);
  double ridge = g.x.high;
  for (const Roof roof : model::kMemoryRoofs) {
    const auto bandwidth = ceilingOf(data.ceilings, roof);
    if (!bandwidth || !seen(data, roof)) continue;
    const double end = peak ? std::min(g.x.high, *peak / *bandwidth) : g.x.high;
    const double begin = std::max(g.x.low, g.y.low / *bandwidth);
    ridge = std::min(ridge, end);
    if (begin >= end) continue;
    RooflineRoof r;
    r.roof = roof;
    r.line =
        QLineF(g.x.at(begin), g.y.at(*bandwidth * begin), g.x.at(end), g.y.at(*bandwidth * end));
    g.roofs.push_back(r);
  }
  if (peak) {
    RooflineRoof r;
    r.line = QLineF(g.x.at(std::max(ridge, g.x.low)), g.y.at(*peak), g.x.to, g.y.at(*peak));
    g.roofs.push_back(r);
  }
}

void setMarks(RooflineGeometry& g, const RooflineData& data) {
  const std::vector<MemoryLevel> levels = levelsOf(data.level);
  for (const int i : indices(data)) {
    const RooflinePoint& p = data.point(i);
    const auto speed = speedOf(p);
    bool first = true;
    for (const MemoryLevel level : levels) {
      const auto intensity = p.traffic.intensity(level);
      if (!intensity) continue;
      const double x = g.x.at(*intensity);
      if (!speed) {
        if (i < 0 && first) g.presentGuide = QLineF(x, g.plot.bottom(), x, g.plot.top());
        first = false;
        continue;
      }
      RooflineMark mark;
      mark.point = i;
      mark.level = level;
      mark.at = {x, g.y.at(*speed)};
      mark.main = first;
      mark.predicted = !p.gflops.known();
      if (level == MemoryLevel::Dram && p.traffic.dramMost > 1.02 * p.traffic.dramLeast) {
        mark.spread = QLineF(g.x.at(p.traffic.flops / p.traffic.dramMost), mark.at.y(),
                             g.x.at(p.traffic.flops / p.traffic.dramLeast), mark.at.y());
      }
      if (mark.predicted)
        mark.range = QLineF(x, g.y.at(p.predicted->low), x, g.y.at(p.predicted->high));
      g.marks.push_back(mark);
      first = false;
    }
  }
}

// Rungs' numbers stand in their marks where those are far enough from all others; of the present
// tile, too, which lies over the mark of its rung.
void numberMarks(RooflineGeometry& g, const RooflineData& data, const QFont& font) {
  const bool large = g.plot.width() >= kNumbersFrom && g.plot.height() >= kNumbersFrom / 2;
  const double wide = std::ceil(0.62 * QFontMetricsF(font).height()) + 1;
  for (RooflineMark& mark : g.marks) {
    mark.radius = mark.point < 0 ? kPresentRadius : kMarkRadius;
    if (!mark.main) mark.radius *= 0.6;
  }
  if (!large) return;
  std::vector<bool> free;
  for (const RooflineMark& mark : g.marks) {
    const bool known = data.point(mark.point).stage != nullptr && !mark.predicted;
    const double own = wide + (mark.point < 0 ? 2 : 0);
    free.push_back(known && std::ranges::none_of(g.marks, [&](const RooflineMark& other) {
                     if (&other == &mark) return false;
                     const double away = QLineF(other.at, mark.at).length();
                     // The present tile covers its own rung's mark.
                     const bool same = away < 0.5 && mark.point < 0 && other.point >= 0 &&
                                       data.point(other.point).stage == data.present->stage;
                     return !same && away < own + wide + 1;
                   }));
  }
  for (std::size_t i = 0; i < g.marks.size(); ++i) {
    if (!free[i]) continue;
    g.marks[i].numbered = true;
    g.marks[i].radius = wide + (g.marks[i].point < 0 ? 2 : 0);
  }
}

// Where the present tile is its rung's default tile, one label is enough.
void mergePresent(RooflineGeometry& g, const RooflineData& data) {
  const auto present = std::ranges::find(g.marks, -1, &RooflineMark::point);
  if (present == g.marks.end()) return;
  for (RooflineMark& mark : g.marks) {
    if (mark.point >= 0 && mark.main && QLineF(mark.at, present->at).length() < 0.5 &&
        data.point(mark.point).stage == data.present->stage)
      mark.main = false;
  }
}

QRectF around(const QPointF& at, double radius) {
  return {at.x() - radius, at.y() - radius, 2 * radius, 2 * radius};
}

// In the line below the axis, where the name of the axis stands when there is one level.
void setKeys(RooflineGeometry& g, const QFont& font) {
  const QFontMetricsF metrics(font);
  const double line = metrics.height(), top = g.plot.bottom() + 4 + line;
  double wide = metrics.horizontalAdvance(keysTitle());
  for (const MemoryLevel level : levelsOf(RooflineLevel::All)) {
    const QString text = levelName(level);
    g.keys.push_back({level, {}, {}, text});
    wide += kKeyGap + 2 * kMarkRadius + 4 + metrics.horizontalAdvance(text);
  }
  double x = g.plot.center().x() - wide / 2 + metrics.horizontalAdvance(keysTitle());
  std::ranges::reverse(g.keys);  // as on the axis from left to right
  for (RooflineKey& key : g.keys) {
    x += kKeyGap;
    key.at = {x + kMarkRadius, top + line / 2};
    x += 2 * kMarkRadius + 4;
    const double width = metrics.horizontalAdvance(key.text);
    key.rect = {x, top, width + 1, line};
    x += width;
  }
}

// Each roof's name along its line, where it covers no mark.
void nameRoofs(RooflineGeometry& g, const RooflineData& data, const QFont& font,
               LabelPlaces& places) {
  const QFontMetricsF metrics(font);
  for (RooflineRoof& r : g.roofs) {
    const QString text = roofText(data.ceilings, r.roof);
    const double width = metrics.horizontalAdvance(text);
    const double height = metrics.height();
    const double length = r.line.length();
    if (length < 0.5 * width) continue;
    const double dx = r.line.dx() / length, dy = r.line.dy() / length;
    // Above the line: to its left, as it rises.
    const QPointF up(dy * kRoofGap, -dx * kRoofGap);
    const int steps = 24;
    for (int i = 0; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      const double room = length - width;
      // The ceiling's name from the right end, the slopes' from their middle on.
      const double along = r.roof == Roof::Fma ? room * (1 - share)
                                               : room * (0.5 + (i % 2 == 0 ? 0.5 : -0.5) * share);
      const QPointF begin = r.line.pointAt(along / length) + up;
      std::vector<QRectF> boxes;
      const int count = static_cast<int>(std::ceil(width / 8));
      bool free = true;
      for (int b = 0; b <= count && free; ++b) {
        const double at = width * b / count;
        const QPointF on(begin.x() + dx * at, begin.y() + dy * at);
        const QPointF middle = on + QPointF(dy, -dx) * (height * 0.35);
        const QRectF box = around(middle, height * 0.45);
        free = g.plot.contains(middle) && std::ranges::none_of(places.taken, [&](const QRectF& t) {
                 return t.intersects(box);
               });
        boxes.push_back(box);
      }
      if (!free) continue;
      r.text = text;
      r.label = begin;
      r.slant = std::atan2(dy, dx) * 180 / M_PI;
      r.covered = boxes;
      places.taken.insert(places.taken.end(), boxes.begin(), boxes.end());
      break;
    }
  }
}

}  // namespace

double LogAxis::at(double value) const {
  const double share = std::log(std::max(value, 1e-12) / low) / std::log(high / low);
  return from + share * (to - from);
}

double LogAxis::valueAt(double pixel) const {
  return low * std::pow(high / low, (pixel - from) / (to - from));
}

QFont numberFont(const QFont& small) {
  QFont font = small;
  font.setWeight(QFont::DemiBold);
  return font;
}

double numberWidth(const QFont& small, const QString& number) {
  if (number.isEmpty()) return 0;
  return QFontMetricsF(numberFont(small)).horizontalAdvance(number) + 5;
}

std::optional<int> RooflineGeometry::pointAt(const QPointF& at) const {
  for (const RooflineLabel& label : labels) {
    if (label.rect.contains(at)) return label.point;
  }
  std::optional<int> best;
  double nearest = kNear;
  for (const RooflineMark& mark : marks) {
    const double away = QLineF(mark.at, at).length();
    if (away >= nearest) continue;
    nearest = away;
    best = mark.point;
  }
  return best;
}

RooflineGeometry rooflineGeometry(const RooflineData& data, const QSizeF& size,
                                  const RooflineFonts& fonts) {
  RooflineGeometry g;
  const QFontMetricsF small(fonts.small), body(fonts.body);
  const double line = small.height();
  const double beside =
      size.width() >= kFactsFrom ? std::clamp(0.33 * size.width(), 225.0, 330.0) : 0;
  const double left = small.horizontalAdvance(QStringLiteral("100 GFLOP/s")) + 14;
  const double top = line + 8, bottom = 2 * line + 10;
  g.plot = QRectF(left, top, std::max(60.0, size.width() - left - beside - 12),
                  std::max(50.0, size.height() - top - bottom));
  if (beside > 0) g.facts = QRectF(g.plot.right() + 18, top, beside - 18, size.height() - top - 4);
  double labels = 0;
  for (const int i : indices(data)) {
    const QString title =
        QStringLiteral("%1 %2").arg(pointNumber(data.point(i)), pointTitle(data.point(i), i < 0));
    labels = std::max(labels, small.horizontalAdvance(title) + kLabelGap);
  }
  setRanges(g, data, labels, line);
  g.x.from = g.plot.left(), g.x.to = g.plot.right();
  g.y.from = g.plot.bottom(), g.y.to = g.plot.top();
  setTicks(g);
  setRoofs(g, data);
  setMarks(g, data);
  mergePresent(g, data);
  numberMarks(g, data, fonts.small);
  if (data.level == RooflineLevel::All) setKeys(g, fonts.small);

  LabelPlaces places;
  places.bounds = g.plot.adjusted(2, 1, -2, -2);
  // Above the pipes' ceiling nothing can be.
  if (const auto peak = ceilingOf(data.ceilings, Roof::Fma))
    places.bounds.setTop(std::max(places.bounds.top(), g.y.at(*peak) + 3));
  for (const RooflineMark& mark : g.marks) {
    places.taken.push_back(around(mark.at, mark.radius + 1));
    if (mark.point < 0 && !mark.spread.isNull()) takeLine(places, mark.spread, 2);
    if (!mark.range.isNull()) takeLine(places, mark.range, 2);
  }
  if (!g.presentGuide.isNull()) takeLine(places, g.presentGuide, 2);
  nameRoofs(g, data, fonts.small, places);
  for (const RooflineRoof& roof : g.roofs) takeLine(places, roof.line, 2);
  labelPoints(g, data, fonts, places);
  return g;
}

}  // namespace tileloom::charts
