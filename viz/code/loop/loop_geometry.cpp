// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace tileloom {
namespace {

constexpr double kMargin = 12;
constexpr double kGap = 4;
constexpr double kWide = 900;    // the rows have bars from this width on
constexpr double kTable = 0.34;  // of a wide canvas
constexpr double kWidestTable = 480;
constexpr double kNarrowestTurns = 18;  // lines of text; rows are below narrower turns
constexpr double kLowestTurns = 80;     // minimum for bars and joins together
constexpr double kLowestRibbon = 16, kHighestRibbon = 44;
constexpr double kThinnestBar = 2, kThickestBar = 7;
constexpr int kUsualRows = 7, kUsualWaits = 9;
constexpr double kHighestRow = 1.2;  // row height over the height of its text

double lineOf(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height());
}

std::vector<LoopTable::Name> namesOf(const std::vector<LoopRow>& rows) {
  std::vector<LoopTable::Name> names;
  for (const LoopRow& row : rows) names.push_back({row.name, row.usual});
  return names;
}

std::vector<LoopTable::Name> namesOf(const std::vector<LoopWait>& waits) {
  std::vector<LoopTable::Name> names;
  for (const LoopWait& wait : waits) names.push_back({wait.name, true});
  return names;
}

double turnsHeight(const Fonts& fonts, bool details) {
  return 2 * (lineOf(fonts.body) + kGap) + (details ? 2 * lineOf(fonts.small) : 0) +
         2 * kLowestRibbon + kLowestTurns;
}

// The division of a canvas among turns, legend and rows.
struct Plan {
  enum class How {
    Wide,    // the rows are beside turns and legend
    Beside,  // the rows are beside the turns, and the legend is below both
    Below,   // one below the other
  } how = How::Below;
  LoopTable::Needs table;
  double tableWidth = 0;
  double legend = 0;  // height, with the gap above it
  std::vector<LoopMark> marks;

  Plan(const LoopData& data, const std::vector<LoopRow>& rows, double width, const Fonts& fonts)
      : table(LoopTable::needsOf(namesOf(rows), fonts)) {
    const double room = width - 2 * kMargin;
    const double beside = room - table.width() - 2 * kMargin;
    tableWidth = room;
    if (beside >= kNarrowestTurns * lineOf(fonts.body)) {
      how = width >= kWide ? How::Wide : How::Beside;
      tableWidth = table.width();
      if (how == How::Wide)
        tableWidth = std::max(tableWidth, std::min(kWidestTable, std::round(room * kTable)));
    }
    marks = loopMarks(data, how == How::Wide ? room - tableWidth - 2 * kMargin : room, fonts);
    legend = marks.empty() ? 0 : 2 * kGap + marks.back().words.bottom();
  }

  double leastHeight(const Fonts& fonts) const {
    const double both = 2 * kGap;
    switch (how) {
      case How::Wide:
        return both + std::max(turnsHeight(fonts, true) + legend, table.height);
      case How::Beside:
        return both + std::max(turnsHeight(fonts, false), table.height) + legend;
      case How::Below:
        break;
    }
    return both + turnsHeight(fonts, true) + legend + kMargin + table.height;
  }
};

LoopTurn turnOf(const rewrite::TurnFacts& facts) {
  LoopTurn turn;
  int last = -1;
  for (std::size_t i = 0; i < facts.turn.size(); ++i) {
    const int at = facts.time.issued[i];
    // The warp's wait begins after its last instruction; in the rest of the time its scheduler
    // issued for other warps.
    turn.waits.push_back({static_cast<double>(last) + 1,
                          std::min(facts.time.waited[i], std::max(0, at - last - 1))});
    turn.starts.push_back(at);
    last = at;
  }
  turn.length = std::max(facts.time.cycles, turn.starts.empty() ? 0 : turn.starts.back() + 1);
  return turn;
}

// Puts each bar into the first lane that is free at its beginning.
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
  // Loads of the previous iteration are used at the beginning of this one.
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
  const bool details = room.height() >= turnsHeight(fonts, true);
  const double words = lineOf(fonts.body) + (details ? lineOf(fonts.small) : 0) + kGap;
  double y = room.top();
  const auto take = [&](double height) {
    const QRectF part(room.left(), y, room.width(), height);
    y += height;
    return part;
  };
  const double free = room.height() - 2 * words;
  const double ribbon = std::clamp(free * 0.14, kLowestRibbon, kHighestRibbon);
  const double rest = std::max(0.0, free - 2 * ribbon);
  const double bars = std::round(rest * 0.3), joins = rest - 2 * bars;
  g.untouched.words = take(words);
  g.untouched.bars = take(bars);
  g.untouched.ribbon = take(ribbon);
  g.joins = take(joins);
  g.rewritten.ribbon = take(ribbon);
  g.rewritten.bars = take(bars);
  g.rewritten.words = take(words);
  const double length = std::max(g.untouched.length, g.rewritten.length);
  if (g.window.whole()) g.window = {0, std::max(1.0, length)};
  g.pixelsPerCycle = room.width() / (g.window.to - g.window.from);
  layBars(g.untouched, data.study->untouched, true, g);
  if (data.possible()) layBars(g.rewritten, data.shown().facts, false, g);
}

// Both tables in one column, the second if there is room for it.
void layTables(LoopGeometry& g, const std::vector<LoopRow>& rows,
               const std::vector<LoopWait>& waits, const LoopTable::Needs& needs,
               const QRectF& room, const Fonts& fonts) {
  const auto names = namesOf(rows), waitNames = namesOf(waits);
  const LoopTable::Needs waitNeeds = LoopTable::needsOf(waitNames, fonts, room.width());
  double least = needs.height;
  std::size_t count = names.size();
  const bool both = !waits.empty() && room.height() >= least + kMargin + waitNeeds.height;
  if (both) {
    least += kMargin + waitNeeds.height;
    count += waits.size();
  }
  const double more =
      std::clamp((room.height() - least) / std::max<double>(1, static_cast<double>(count)), 0.0,
                 lineOf(fonts.body) * kHighestRow);
  g.costs = LoopTable::of(names, needs, room, more, fonts);
  if (!both) return;
  QRectF below = room;
  below.setTop(g.costs.bottom() + kMargin);
  g.waits = LoopTable::of(waitNames, waitNeeds, below, more, fonts);
}

std::optional<std::size_t> rowIn(const LoopTable& table, const QPointF& place) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.rows[i].room.contains(place)) return i;
  return std::nullopt;
}

}  // namespace

double LoopGeometry::usualHeight(const Fonts& fonts, bool withWaits) {
  const double legend = 2 * kGap + 2 * lineOf(fonts.small);
  double tables = LoopTable::heightOf(kUsualRows, fonts);
  if (withWaits) tables += kMargin + LoopTable::heightOf(kUsualWaits, fonts);
  return 2 * kGap + std::max(turnsHeight(fonts, false), tables) + legend;
}

double LoopGeometry::leastHeight(const LoopData& data, const std::vector<LoopRow>& rows,
                                 double width, const Fonts& fonts) {
  return Plan(data, rows, width, fonts).leastHeight(fonts);
}

LoopGeometry LoopGeometry::of(const LoopData& data, const std::vector<LoopRow>& rows,
                              const std::vector<LoopWait>& waits, const QRectF& canvas,
                              const Fonts& fonts, const LoopWindow& window) {
  LoopGeometry g;
  g.window = window;
  if (!data.ready()) return g;
  g.untouched = turnOf(data.study->untouched);
  if (data.possible()) g.rewritten = turnOf(data.shown().facts);
  Plan plan(data, rows, canvas.width(), fonts);
  const QRectF room = canvas.adjusted(kMargin, kGap, -kMargin, -kGap);
  QRectF turns = room, table = room;
  if (plan.how == Plan::How::Below) {
    const double free = canvas.height() - plan.leastHeight(fonts);
    const double more = kMargin + LoopTable::needsOf(namesOf(waits), fonts, room.width()).height;
    table.setTop(room.bottom() - plan.table.height - (waits.empty() || free < more ? 0 : more));
    turns.setBottom(table.top() - kMargin - plan.legend);
  } else {
    table.setLeft(room.right() - plan.tableWidth);
    turns.setRight(table.left() - 2 * kMargin);
    turns.setBottom(room.bottom() - plan.legend);
    if (plan.how == Plan::How::Beside) table.setBottom(turns.bottom());
  }
  layTurns(g, data, turns, fonts);
  layTables(g, rows, waits, plan.table, table, fonts);
  g.marks = std::move(plan.marks);
  for (LoopMark& mark : g.marks) {
    mark.sample.translate(room.left(), turns.bottom() + 2 * kGap);
    mark.words.translate(room.left(), turns.bottom() + 2 * kGap);
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
    // The instruction of this wait or cycle.
    const auto next = std::ranges::upper_bound(its.starts, cycle - 1);
    if (next == its.starts.end()) return std::nullopt;
    return LoopPlace{after, static_cast<std::size_t>(next - its.starts.begin())};
  }
  return std::nullopt;
}

std::optional<std::size_t> LoopGeometry::rowAt(const QPointF& place) const {
  return rowIn(costs, place);
}

std::optional<std::size_t> LoopGeometry::waitAt(const QPointF& place) const {
  return rowIn(waits, place);
}

}  // namespace tileloom
