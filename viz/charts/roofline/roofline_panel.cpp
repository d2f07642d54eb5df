// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_panel.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/base/text/figure_text.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom::charts {
namespace {

using model::MemoryLevel;
using model::Roof;

constexpr double kRoofGap = 4;      // between a roof and its text
constexpr double kBehindLast = 24;  // from the last mark below mma.sync to the end of its line
// Pixels between ticks with numbers; more where the numbers are longer.
constexpr double kAcrossTicks = 46;
constexpr double kDownTicks = 22;
constexpr double kAcrossSteps = 37;  // the same for equal steps
constexpr double kDownSteps = 32;
constexpr std::size_t kFewTicks = 3;  // fewer do not show the scale of the axis
constexpr double kBetweenNumbers = 5;
constexpr double kWider = 1.2;  // factor by which the distance of ticks grows per attempt
constexpr double kWidest = 10;

// Values on an axis of several decades: 1, 2 or 5 times a power of ten, or every power, or every
// second or third one, so that there are about `space` pixels between them.
std::vector<double> decades(const LogAxis& axis, double space) {
  std::vector<double> values;
  const double decade = std::abs(axis.to - axis.from) / std::log10(axis.high / axis.low);
  // Adds 2 and 5 between decades if their numbers fit.
  const bool between = decade > 3.5 * space;
  const int each = std::max(1, static_cast<int>(std::ceil(space / (1.5 * decade))));
  for (int power = static_cast<int>(std::floor(std::log10(axis.low)));
       std::pow(10, power) <= axis.high; ++power) {
    if (power % each != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, power);
      if (value < axis.low || value > axis.high) continue;
      if (factor == 1.0 || between) values.push_back(value);
    }
  }
  return values;
}

// Values in equal steps, for less than a decade: the smallest steps of 1, 2 or 5 times a power of
// ten whose numbers fit.
std::vector<double> steps(const LogAxis& axis, double space) {
  for (int power = static_cast<int>(std::floor(std::log10(axis.high))) - 3; power < 12; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double step = factor * std::pow(10, power);
      // The last two are closest.
      if (std::abs(axis.at(axis.high) - axis.at(std::max(axis.low, axis.high - step))) < space)
        continue;
      std::vector<double> values;
      for (double n = std::ceil(axis.low / step - 1e-9); n * step <= axis.high * (1 + 1e-9); ++n)
        values.push_back(n * step);
      return values;
    }
  }
  return {};
}

// The number of decimals that these values need.
int decimalsOf(const std::vector<double>& values) {
  int most = 0;
  for (const double value : values) {
    for (int digits = most; digits < 6; ++digits) {
      const double scaled = value * std::pow(10, digits);
      if (std::abs(scaled - std::round(scaled)) < 1e-6 * std::max(1.0, scaled)) break;
      most = digits + 1;
    }
  }
  return most;
}

// `words` formats a value; `taken` is the length of a number along the axis, in pixels.
template <typename Words, typename Taken>
std::vector<RooflineTick> ticksOf(const LogAxis& axis, double space, double between,
                                  const Words& words, const Taken& taken) {
  std::vector<RooflineTick> ticks;
  // Takes these values if there are at least two and all their numbers fit.
  const auto take = [&](const std::vector<double>& values, bool equalSteps) {
    ticks.clear();
    bool room = values.size() > 1;
    for (const double value : values) {
      RooflineTick tick{axis.at(value), words(value, equalSteps ? values : std::vector{value})};
      room = room && (ticks.empty() || std::abs(tick.at - ticks.back().at) >=
                                           (taken(tick) + taken(ticks.back())) / 2);
      ticks.push_back(std::move(tick));
    }
    return room;
  };
  const bool few = decades(axis, space).size() < kFewTicks;
  for (double apart = 1; few && apart < kWidest; apart *= kWider)
    if (take(steps(axis, apart * between), true)) return ticks;
  // If equal steps do not fit, 1, 2 and 5 may.
  for (double apart = few ? 1 / kWidest : 1; apart < kWidest; apart *= kWider)
    if (take(decades(axis, apart * space), false)) return ticks;
  take(decades(axis, space), false);
  ticks.resize(std::min<std::size_t>(1, ticks.size()));
  return ticks;
}

// With equal steps, all numbers of an axis have the same number of decimals; over several decades
// each has as many as it needs.
void setTicks(RooflinePanel& panel, const QFont& font) {
  const QFontMetricsF metrics(font);
  panel.xTicks = ticksOf(
      panel.x, kAcrossTicks, kAcrossSteps,
      [](double value, const std::vector<double>& all) {
        return figures::grouped(value, decimalsOf(all));
      },
      [&](const RooflineTick& tick) {
        return metrics.horizontalAdvance(tick.text) + kBetweenNumbers;
      });
  panel.yTicks = ticksOf(
      panel.y, kDownTicks, kDownSteps,
      [](double value, std::vector<double> all) {
        if (value >= 1000) std::ranges::for_each(all, [](double& each) { each /= 1000; });
        return speedTick(value, decimalsOf(all));
      },
      [&](const RooflineTick&) { return metrics.height(); });
}

// The rate of mma.sync does not limit wgmma kernels, so its line ends a little to the right of the
// last mark or guide that it limits. Pixels; left of the panel: there is none.
double endOfMmaSync(const RooflinePanel& panel, const RooflineData& data) {
  double last = panel.x.from - kBehindLast;
  for (const RooflineMark& mark : panel.marks) {
    if (!data.point(mark.point).traffic.warpgroups) last = std::max(last, mark.at.x());
  }
  for (const RooflineGuide& guide : panel.presentGuides) {
    if (!data.point(-1).traffic.warpgroups) last = std::max(last, guide.line.x1());
  }
  return std::min(last + kBehindLast, panel.x.to);
}

// The binding parts of the roofs: slopes up to the pipes' ceiling.
void setRoofs(RooflinePanel& panel, const RooflineData& data) {
  const LogAxis &x = panel.x, &y = panel.y;
  const auto peak = peakOf(data);
  double steepest = 0;  // the bandwidth whose roof reaches a ceiling first
  for (const Roof roof : model::kMemoryRoofs) {
    const auto bandwidth = ceilingOf(data.ceilings, roof);
    if (!bandwidth || !isShown(data, roof)) continue;
    steepest = std::max(steepest, *bandwidth);
    const double top = peak ? std::min(y.high, *peak) : y.high;
    const double begin = std::max(x.low, y.low / *bandwidth);
    const double end = std::min(x.high, top / *bandwidth);
    if (begin >= end) continue;
    RooflineRoof r;
    r.roof = roof;
    r.line = QLineF(x.at(begin), y.at(*bandwidth * begin), x.at(end), y.at(*bandwidth * end));
    panel.roofs.push_back(r);
  }
  for (const Roof roof : model::roofsOf(data.ladder)) {
    const auto ceiling = levelOf(roof) ? std::nullopt : ceilingOf(data.ceilings, roof);
    if (!ceiling || *ceiling < y.low || *ceiling > y.high) continue;
    const double ridge = steepest > 0 ? std::min(x.high, *ceiling / steepest) : x.low;
    const double begin = std::max(ridge, x.low);
    if (begin >= x.high) continue;
    RooflineRoof r;
    r.roof = roof;
    const double end = roof == Roof::MmaSync ? endOfMmaSync(panel, data) : x.to;
    if (end <= x.at(begin)) continue;
    r.line = QLineF(x.at(begin), y.at(*ceiling), end, y.at(*ceiling));
    panel.roofs.push_back(r);
  }
}

void setMarks(RooflinePanel& panel, const RooflineData& data) {
  const QRectF inside = panel.plot.adjusted(-0.5, -0.5, 0.5, 0.5);
  for (const int i : pointsOf(data)) {
    const RooflinePoint& p = data.point(i);
    const auto speed = speedOf(p);
    bool first = true;
    for (const MemoryLevel level : levelsOf(data.level)) {
      const auto intensity = p.traffic.intensity(level);
      if (!intensity) continue;
      const double x = panel.x.at(*intensity);
      if (!speed) {
        if (i < 0 && x >= inside.left() && x <= inside.right())
          panel.presentGuides.push_back(
              {level, QLineF(x, panel.plot.bottom(), x, panel.plot.top())});
        continue;
      }
      RooflineMark mark;
      mark.point = i;
      mark.level = level;
      mark.at = {x, panel.y.at(*speed)};
      mark.main = first;
      mark.radius = i < 0 ? kPresentRadius : kMarkRadius;
      mark.predicted = !p.gflops.known();
      if (level == MemoryLevel::Dram && p.traffic.dramMost > 1.02 * p.traffic.dramLeast) {
        mark.spread = QLineF(panel.x.at(p.traffic.flops / p.traffic.dramMost), mark.at.y(),
                             panel.x.at(p.traffic.flops / p.traffic.dramLeast), mark.at.y());
      }
      if (mark.predicted)
        mark.range = QLineF(x, panel.y.at(p.predicted->low), x, panel.y.at(p.predicted->high));
      first = false;
      if (inside.contains(mark.at)) panel.marks.push_back(mark);
    }
  }
}

// If the present tile is its rung's default tile, one label is enough.
void mergePresent(RooflinePanel& panel, const RooflineData& data) {
  const auto present = std::ranges::find(panel.marks, -1, &RooflineMark::point);
  if (present == panel.marks.end()) return;
  for (RooflineMark& mark : panel.marks) {
    if (mark.point >= 0 && mark.main && QLineF(mark.at, present->at).length() < 0.5 &&
        data.point(mark.point).rung() == data.present->rung())
      mark.main = false;
  }
}

QRectF around(const QPointF& at, double radius) {
  return {at.x() - radius, at.y() - radius, 2 * radius, 2 * radius};
}

// Places the text along the roof. false: no room.
bool nameRoof(const RooflinePanel& panel, RooflineRoof& r, const QString& text,
              const QFontMetricsF& metrics, LabelPlaces& places) {
  const double height = metrics.height(), width = metrics.horizontalAdvance(text);
  const double length = r.line.length();
  if (length < 1) return false;
  const QPointF along(r.line.dx() / length, r.line.dy() / length);
  const QPointF up(along.y(), -along.x());  // to the left of the line, as it rises
  // Places the text there if it is free.
  const auto begins = [&](const QPointF& begin) {
    std::vector<QRectF> boxes;
    const int count = static_cast<int>(std::ceil(width / 8));
    for (int b = 0; b <= count; ++b) {
      const QPointF middle = begin + along * (width * b / count) + up * (height * 0.35);
      const QRectF box = around(middle, height * 0.45);
      const bool free =
          panel.plot.contains(middle) &&
          std::ranges::none_of(places.taken, [&](const QRectF& t) { return t.intersects(box); });
      if (!free) return false;
      boxes.push_back(box);
    }
    r.text = text;
    r.label = begin;
    r.slant = std::atan2(along.y(), along.x()) * 180 / M_PI;
    r.covered = boxes;
    places.taken.insert(places.taken.end(), boxes.begin(), boxes.end());
    return true;
  };
  constexpr int kSteps = 24;
  const double room = length - width;
  // Nothing is above the highest ceiling, also to the left of its line. To the left of mma.sync's
  // line is a slope.
  const double least = (r.roof == Roof::Tensor ? 0.25 : r.roof == Roof::MmaSync ? 1 : 0.5) * width;
  for (int i = 0; i <= kSteps && length >= least; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    // The ceiling's name starts from the right end, names of slopes from their middle.
    const double at =
        !levelOf(r.roof) ? room * (1 - share) : room * (0.5 + (i % 2 == 0 ? 0.5 : -0.5) * share);
    if (begins(r.line.pointAt(at / length) + up * kRoofGap)) return true;
  }
  // Else at the ceiling's height, to its left or right.
  return !levelOf(r.roof) &&
         (begins(r.line.p1() - along * (width + 2 * kRoofGap) - up * (0.35 * height)) ||
          begins(r.line.p2() + along * (2 * kRoofGap) - up * (0.35 * height)));
}

}  // namespace

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

std::vector<int> pointsOf(const RooflineData& data) {
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

std::optional<double> peakOf(const RooflineData& data) {
  std::optional<double> highest;
  for (const Roof roof : model::roofsOf(data.ladder)) {
    const auto ceiling = levelOf(roof) ? std::nullopt : ceilingOf(data.ceilings, roof);
    if (ceiling) highest = std::max(highest.value_or(0), *ceiling);
  }
  return highest;
}

bool isShown(const RooflineData& data, Roof roof) {
  const auto level = levelOf(roof);
  const std::vector<MemoryLevel> shown = levelsOf(data.level);
  return !level || std::ranges::find(shown, *level) != shown.end();
}

void layPanel(RooflinePanel& panel, const RooflineData& data, const QFont& small) {
  panel.x.from = panel.plot.left(), panel.x.to = panel.plot.right();
  panel.y.from = panel.plot.bottom(), panel.y.to = panel.plot.top();
  setTicks(panel, small);
  setMarks(panel, data);
  setRoofs(panel, data);
  mergePresent(panel, data);
}

void takeMarks(LabelPlaces& places, const RooflinePanel& panel) {
  for (const RooflineMark& mark : panel.marks) {
    places.taken.push_back(around(mark.at, mark.radius + 1));
    if (mark.point < 0 && !mark.spread.isNull()) takeLine(places, mark.spread, 2);
    if (!mark.range.isNull()) takeLine(places, mark.range, 2);
  }
  for (const RooflineGuide& guide : panel.presentGuides) takeLine(places, guide.line, 2);
}

void nameRoofs(RooflinePanel& panel, const RooflineData& data, const QFont& font,
               LabelPlaces& places) {
  const auto name = [&](RooflineRoof& r) {
    // The longest text that fits.
    for (const QString& text : roofTexts(data, r.roof)) {
      if (nameRoof(panel, r, text, QFontMetricsF(font), places)) break;
    }
  };
  // The line of mma.sync is the shortest and comes first; slopes have other places for their names.
  for (const bool shortest : {true, false}) {
    for (RooflineRoof& r : panel.roofs) {
      if ((r.roof == Roof::MmaSync) == shortest) name(r);
    }
  }
}

}  // namespace tileloom::charts
