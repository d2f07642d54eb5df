// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "viz/base/figure_text.h"
#include "viz/charts/label_places.h"
#include "viz/charts/roofline_words.h"

namespace tileloom::charts {
namespace {

using model::MemoryLevel;
using model::Roof;

constexpr double kFactsFrom = 640;   // pixels of width from which on numbers stand beside
constexpr double kTitlesFrom = 420;  // of the plot, from which on labels have more than the number
constexpr double kNear = 12;         // pixels within which a point is meant
constexpr double kRoofGap = 4;       // between a roof and its text
// Pixels within which points crowd.
constexpr double kCrowdAcross = 34;
constexpr double kCrowdDown = 26;

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

const RooflinePoint& pointOf(const RooflineData& data, int index) {
  return index < 0 ? *data.present : data.rungs[static_cast<std::size_t>(index)];
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
void setRanges(RooflineGeometry& g, const RooflineData& data) {
  double left = std::numeric_limits<double>::max(), right = 0, bottom = left, top = 0;
  for (const int i : indices(data)) {
    const RooflinePoint& p = pointOf(data, i);
    bool stands = false;  // at a level that is shown
    for (const MemoryLevel level : levelsOf(data.level)) {
      const auto intensity = p.traffic.intensity(level);
      if (!intensity) continue;
      stands = true;
      left = std::min(left, *intensity);
      right = std::max(right, *intensity);
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
  g.x.low = left / 1.5;
  g.x.high = right * 4;
  g.y.low = std::min(bottom / 1.8, top / 30);
  g.y.high = top * 1.7;
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
    const RooflinePoint& p = pointOf(data, i);
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

QRectF around(const QPointF& at, double radius) {
  return {at.x() - radius, at.y() - radius, 2 * radius, 2 * radius};
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

// What a label may say, the fuller first, and how large each is.
struct Wording {
  const RooflineMark* mark = nullptr;
  double radius = 0;
  std::vector<std::pair<QString, QSizeF>> texts{};
};

// Points that crowd: their labels stand in two columns beside them, in the order of the points.
void labelCrowd(RooflineGeometry& g, std::vector<Wording*> crowd, LabelPlaces& places,
                std::vector<const RooflineMark*>& done) {
  double left = g.plot.right(), right = g.plot.left();
  for (const Wording* w : crowd) {
    left = std::min(left, w->mark->at.x() - w->radius);
    right = std::max(right, w->mark->at.x() + w->radius);
  }
  // The right half of them to the right; of points one above the other, every second.
  std::ranges::stable_sort(crowd, [](const Wording* a, const Wording* b) {
    return std::pair(a->mark->at.x(), a->mark->at.y()) <
           std::pair(b->mark->at.x(), b->mark->at.y());
  });
  std::array<std::vector<Wording*>, 2> sides;  // left, right
  const double middle = (left + right) / 2;
  const auto beyond =
      std::ranges::count_if(crowd, [middle](const Wording* w) { return w->mark->at.x() > middle; });
  const auto count = static_cast<std::ptrdiff_t>(crowd.size());
  // Few on one side stay there, and the others go to both sides by turns.
  const bool fewRight = beyond * 4 < count, fewLeft = (count - beyond) * 4 < count;
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    const bool isRight = crowd[i]->mark->at.x() > middle;
    const bool inTurn = (fewRight && !isRight) || (fewLeft && isRight);
    const bool toRight = crowd[i]->mark->point < 0 || (inTurn ? i % 2 == 1 : isRight);
    sides[toRight ? 1 : 0].push_back(crowd[i]);
  }
  for (const bool toRight : {false, true}) {
    std::vector<Wording*>& column = sides[toRight ? 1 : 0];
    std::ranges::stable_sort(column, {}, [](const Wording* w) { return w->mark->at.y(); });
    if (column.empty()) continue;
    const double high = column.front()->texts.front().second.height() + 0.5;
    // Each at its point's height, pushed down by the one above; then all up, as far as they hang
    // too low on the whole.
    std::vector<double> middles;
    for (const Wording* w : column) {
      middles.push_back(middles.empty() ? w->mark->at.y()
                                        : std::max(w->mark->at.y(), middles.back() + high));
    }
    double low = 0;
    for (std::size_t i = 0; i < column.size(); ++i) low += middles[i] - column[i]->mark->at.y();
    low /= static_cast<double>(column.size());
    const double lift =
        std::clamp(low, std::max(0.0, middles.back() + high / 2 - places.bounds.bottom()),
                   std::max(0.0, middles.front() - high / 2 - places.bounds.top()));
    for (std::size_t i = 0; i < column.size(); ++i) {
      for (const auto& [text, size] : column[i]->texts) {
        const double x = toRight ? right + 16 : left - 16 - size.width();
        const QRectF rect(QPointF(x, middles[i] - lift - size.height() / 2), size);
        const auto hits = [&rect](const QRectF& other) { return other.intersects(rect); };
        if (!places.bounds.contains(rect) || std::ranges::any_of(places.taken, hits) ||
            std::ranges::any_of(places.labels, hits)) {
          continue;
        }
        places.labels.push_back(rect);
        const QPointF end(toRight ? rect.left() - 2 : rect.right() + 2, rect.center().y());
        QLineF leader(end, column[i]->mark->at);
        leader.setLength(std::max(0.0, leader.length() - column[i]->radius - 1));
        g.labels.push_back({column[i]->mark->point, text, rect, leader});
        done.push_back(column[i]->mark);
        break;
      }
    }
  }
}

void labelPoints(RooflineGeometry& g, const RooflineData& data, const RooflineFonts& fonts,
                 LabelPlaces& places) {
  std::vector<const RooflineMark*> order;
  for (const RooflineMark& mark : g.marks) {
    if (mark.main) order.push_back(&mark);
  }
  // The present tile chooses first, then those on top.
  std::ranges::stable_sort(order, [](const RooflineMark* a, const RooflineMark* b) {
    if ((a->point < 0) != (b->point < 0)) return a->point < 0;
    return a->at.y() < b->at.y();
  });
  const bool titles = g.plot.width() >= kTitlesFrom;
  std::vector<Wording> wordings;
  for (const RooflineMark* mark : order) {
    const RooflinePoint& p = pointOf(data, mark->point);
    const bool present = mark->point < 0;
    QFont font = fonts.small;
    if (present) font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    Wording w{mark, present ? kPresentRadius : kMarkRadius};
    const auto add = [&](const QString& text) {
      w.texts.emplace_back(
          text, QSizeF(metrics.horizontalAdvance(text) + 2, std::ceil(metrics.height()) - 2));
    };
    if (present || titles || p.stage == nullptr) add(pointTitle(p, present));
    // Where the whole title finds no place, or would fill the plot.
    if (!present && p.stage != nullptr) add(QString::number(p.stage->rung));
    wordings.push_back(std::move(w));
  }
  // Points whose labels would be in each other's way, directly or through others.
  std::vector<const RooflineMark*> done;
  std::vector<bool> taken(wordings.size(), false);
  for (std::size_t i = 0; i < wordings.size(); ++i) {
    if (taken[i]) continue;
    std::vector<std::size_t> found{i};
    taken[i] = true;
    for (std::size_t f = 0; f < found.size(); ++f) {
      for (std::size_t k = 0; k < wordings.size(); ++k) {
        const QPointF away = wordings[k].mark->at - wordings[found[f]].mark->at;
        if (taken[k] || std::abs(away.x()) > kCrowdAcross || std::abs(away.y()) > kCrowdDown)
          continue;
        taken[k] = true;
        found.push_back(k);
      }
    }
    if (found.size() < 3) continue;
    std::vector<Wording*> crowd;
    for (const std::size_t f : found) crowd.push_back(&wordings[f]);
    labelCrowd(g, crowd, places, done);
  }
  for (const Wording& w : wordings) {
    if (std::ranges::find(done, w.mark) != done.end()) continue;
    for (const auto& [text, size] : w.texts) {
      const auto rect = places.place(w.mark->at, size, w.radius);
      if (!rect) continue;
      RooflineLabel label{w.mark->point, text, *rect, {}};
      const QLineF line(leaderEnd(*rect, w.mark->at), w.mark->at);
      if (line.length() > w.radius + 9) {
        label.leader = line;
        label.leader.setLength(line.length() - w.radius - 1);
      }
      g.labels.push_back(label);
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
  setRanges(g, data);
  g.x.from = g.plot.left(), g.x.to = g.plot.right();
  g.y.from = g.plot.bottom(), g.y.to = g.plot.top();
  setTicks(g);
  setRoofs(g, data);
  setMarks(g, data);

  LabelPlaces places;
  places.bounds = g.plot.adjusted(2, 1, -2, -2);
  // Above the pipes' ceiling nothing can be.
  if (const auto peak = ceilingOf(data.ceilings, Roof::Fma))
    places.bounds.setTop(std::max(places.bounds.top(), g.y.at(*peak) + 3));
  for (const RooflineMark& mark : g.marks) {
    places.taken.push_back(around(mark.at, (mark.point < 0 ? kPresentRadius : kMarkRadius) + 1));
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
