// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace tileloom {
namespace {

constexpr double kMargin = 12;
constexpr double kGap = 4;
constexpr double kSideBySide = 900;  // from this width on the rows stand beside the turns
constexpr double kTable = 0.34;      // of the width
constexpr double kWidestTable = 480;
constexpr double kLowestRibbon = 16, kHighestRibbon = 44;
constexpr double kThinnestBar = 2, kThickestBar = 7;

double lineOf(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height());
}

// Of the rows and their heading, where they stand below the turns.
double tableHeight(std::size_t rows, const Fonts& fonts) {
  return (static_cast<double>(rows) + 1) * (lineOf(fonts.body) + 3) + lineOf(fonts.small) +
         3 * kGap;
}

LoopTurn turnOf(const rewrite::TurnFacts& facts) {
  LoopTurn turn;
  int last = -1;
  for (std::size_t i = 0; i < facts.turn.size(); ++i) {
    const int at = facts.time.issued[i];
    // What the warp waits for begins behind its last instruction; the rest of the time until the
    // next one its scheduler has issued for other warps.
    turn.waits.push_back({static_cast<double>(last) + 1,
                          std::min(facts.time.waited[i], std::max(0, at - last - 1))});
    turn.starts.push_back(at);
    last = at;
  }
  turn.length = std::max(facts.time.cycles, turn.starts.empty() ? 0 : turn.starts.back() + 1);
  return turn;
}

// Each bar in the first lane that is free where it begins.
void layBars(LoopTurn& turn, const rewrite::TurnFacts& facts, bool upwards, const LoopGeometry& g) {
  std::vector<double> ends;  // of each lane, in cycles
  std::vector<std::size_t> lanes;
  const auto add = [&](const rewrite::LoadToUse& each, double from, double to) {
    std::size_t lane = 0;
    while (lane < ends.size() && ends[lane] > from) ++lane;
    if (lane == ends.size()) ends.push_back(0);
    ends[lane] = to;
    lanes.push_back(lane);
    const bool late = facts.time.waited[each.use] >= kLongWait;
    turn.uses.push_back({QRectF(g.x(from), 0, g.x(to) - g.x(from), 1), each.load, each.use, late});
  };
  // What the turn before has loaded is used at the beginning of this one.
  for (const rewrite::LoadToUse& each : facts.uses)
    if (each.nextTurn && turn.starts[each.use] > 0) add(each, 0, turn.starts[each.use]);
  for (const rewrite::LoadToUse& each : facts.uses)
    add(each, turn.starts[each.load], each.nextTurn ? turn.length : turn.starts[each.use]);
  if (ends.empty()) return;
  const double pitch = turn.bars.height() / static_cast<double>(ends.size());
  const double height = std::clamp(pitch - 1, kThinnestBar, kThickestBar);
  for (std::size_t i = 0; i < turn.uses.size(); ++i) {
    const double step = std::min(pitch, height + 2) * static_cast<double>(lanes[i]);
    const double y = upwards ? turn.bars.bottom() - height - step : turn.bars.top() + step;
    turn.uses[i].bar.moveTop(y);
    turn.uses[i].bar.setHeight(height);
  }
}

void layTurns(LoopGeometry& g, const LoopData& data, const QRectF& room, const Fonts& fonts) {
  const double line = lineOf(fonts.body), small = lineOf(fonts.small);
  double y = room.top();
  const auto take = [&](double height) {
    const QRectF part(room.left(), y, room.width(), height);
    y += height;
    return part;
  };
  const double free = room.height() - 2 * line - 4 * small - 5 * kGap;
  const double ribbon = std::clamp(free * 0.14, kLowestRibbon, kHighestRibbon);
  const double rest = std::max(0.0, free - 2 * ribbon);
  const double bars = std::round(rest * 0.3), joins = rest - 2 * bars;
  g.untouched.words = take(line + small + kGap);
  g.untouched.bars = take(bars);
  g.untouched.ribbon = take(ribbon);
  g.joins = take(joins);
  g.rewritten.ribbon = take(ribbon);
  g.rewritten.bars = take(bars);
  g.rewritten.words = take(line + small + kGap);
  y += 2 * kGap;
  g.legend = take(2 * small);
  const double length = std::max(g.untouched.length, g.rewritten.length);
  if (g.window.whole()) g.window = {0, std::max(1.0, length)};
  g.pixelsPerCycle = room.width() / (g.window.to - g.window.from);
  layBars(g.untouched, data.study->untouched, true, g);
  if (data.possible()) layBars(g.rewritten, data.shown().facts, false, g);
}

void layRows(LoopGeometry& g, const std::vector<LoopRow>& rows, const QRectF& room,
             const Fonts& fonts) {
  const double line = lineOf(fonts.body), small = lineOf(fonts.small);
  g.heading = QRectF(room.left(), room.top(), room.width(), line + kGap);
  g.headings = QRectF(room.left(), g.heading.bottom(), room.width(), small + 2);
  const double top = g.headings.bottom();
  const double least = line + 2;
  const double pitch = std::clamp((room.bottom() - top) / std::max<double>(1, double(rows.size())),
                                  least, line * 2.2);
  const QFontMetricsF metrics(fonts.body);
  double names = 0;
  for (const LoopRow& row : rows) names = std::max(names, metrics.horizontalAdvance(row.name));
  names = std::min(names + 14, room.width() * 0.5);
  // Two columns, each as wide as its heading.
  const double figures = 2 * (QFontMetricsF(fonts.small).horizontalAdvance(measuredHeading()) + 12);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LoopGeometry::RowPlace place;
    place.room = QRectF(room.left(), top + pitch * static_cast<double>(i), room.width(), pitch);
    place.name = QRectF(room.left() + 8, place.room.top(), names - 8, pitch);
    place.figures = QRectF(room.right() - figures, place.room.top(), figures, pitch);
    place.bars = QRectF(place.name.right() + 4, place.room.top() + pitch * 0.2,
                        std::max(0.0, place.figures.left() - place.name.right() - 10), pitch * 0.6);
    g.rows.push_back(place);
  }
}

}  // namespace

double LoopGeometry::leastHeight(double width, std::size_t rows, const Fonts& fonts) {
  const double turns =
      2 * lineOf(fonts.body) + 4 * lineOf(fonts.small) + 7 * kGap + 2 * kLowestRibbon + 100;
  return width >= kSideBySide ? turns : turns + tableHeight(rows, fonts) + kMargin + 2 * kGap;
}

LoopGeometry LoopGeometry::of(const LoopData& data, const std::vector<LoopRow>& rows,
                              const QRectF& canvas, const Fonts& fonts, const LoopWindow& window) {
  LoopGeometry g;
  g.window = window;
  if (!data.ready()) return g;
  g.untouched = turnOf(data.study->untouched);
  if (data.possible()) g.rewritten = turnOf(data.shown().facts);
  const QRectF room = canvas.adjusted(kMargin, kGap, -kMargin, -kGap);
  if (canvas.width() >= kSideBySide) {
    const double table = std::min(kWidestTable, std::round(room.width() * kTable));
    layTurns(g, data, room.adjusted(0, 0, -table - 2 * kMargin, 0), fonts);
    layRows(g, rows, room.adjusted(room.width() - table, 0, 0, 0), fonts);
  } else {
    const double table = tableHeight(rows.size(), fonts);
    layTurns(g, data, room.adjusted(0, 0, 0, -table - kMargin), fonts);
    layRows(g, rows, room.adjusted(0, room.height() - table, 0, 0), fonts);
  }
  return g;
}

double LoopGeometry::x(double cycle) const {
  return untouched.words.left() + (cycle - window.from) * pixelsPerCycle;
}

double LoopGeometry::cycleAt(double x) const {
  if (pixelsPerCycle <= 0) return 0;
  return window.from + (x - untouched.words.left()) / pixelsPerCycle;
}

std::optional<LoopPlace> LoopGeometry::at(const QPointF& place) const {
  for (const bool after : {false, true}) {
    const LoopTurn& its = turn(after);
    if (its.starts.empty()) continue;
    for (const LoopTurn::Use& use : its.uses)
      if (use.bar.adjusted(-1, -1, 1, 1).contains(place)) return LoopPlace{after, use.load};
    if (!its.ribbon.contains(place)) continue;
    const double cycle = cycleAt(place.x());
    // The instruction whose wait or cycle this is.
    const auto next = std::ranges::upper_bound(its.starts, cycle - 1);
    if (next == its.starts.end()) return std::nullopt;
    return LoopPlace{after, static_cast<std::size_t>(next - its.starts.begin())};
  }
  return std::nullopt;
}

std::optional<std::size_t> LoopGeometry::rowAt(const QPointF& place) const {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].room.contains(place)) return i;
  return std::nullopt;
}

}  // namespace tileloom
