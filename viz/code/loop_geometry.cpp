// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace tileloom {
namespace {

constexpr double kMargin = 12;
constexpr double kGap = 4;
constexpr double kWide = 900;    // from this width on the rows have bars
constexpr double kTable = 0.34;  // of a wide canvas
constexpr double kWidestTable = 480;
constexpr double kNarrowestTurns = 18;  // lines of text; rows stand below narrower turns
constexpr double kLowestTurns = 80;     // what bars and joins need together
constexpr double kLowestRibbon = 16, kHighestRibbon = 44;
constexpr double kThinnestBar = 2, kThickestBar = 7;
constexpr double kShortestBars = 40;
constexpr double kIndent = 8;  // of a row
constexpr int kUsualRows = 7;

double lineOf(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height());
}

// In one line, or in as many smaller ones as a name takes that is wider than `width`.
int linesOf(const QString& name, double width, const Fonts& fonts) {
  if (QFontMetricsF(fonts.body).horizontalAdvance(name) <= width) return 1;
  const QFontMetricsF small(fonts.small);
  const double height =
      small.boundingRect(QRectF(0, 0, width, 1000), Qt::AlignLeft | Qt::TextWordWrap, name)
          .height();
  return std::max(2, static_cast<int>(std::lround(height / small.lineSpacing())));
}

double rowHeight(int lines, const Fonts& fonts) {
  return 2 + (lines > 1 ? lines * lineOf(fonts.small) : lineOf(fonts.body));
}

double headingsHeight(const Fonts& fonts) {
  return lineOf(fonts.body) + lineOf(fonts.small) + kGap;
}

// Of the rows that are always there, and their headings.
double usualTableHeight(const Fonts& fonts) {
  return headingsHeight(fonts) + kUsualRows * rowHeight(1, fonts);
}

// What the words of the rows need.
struct TableNeeds {
  double name = 0;    // width of the longest one in a row that is always there
  double figure = 0;  // width of a column
  double height = 0;  // of all

  double width() const { return kIndent + name + 2 * figure; }
};

TableNeeds needsOf(const std::vector<LoopRow>& rows, const Fonts& fonts) {
  const QFontMetricsF body(fonts.body), small(fonts.small);
  TableNeeds needs;
  for (const LoopRow& row : rows)
    if (row.usual) needs.name = std::max(needs.name, body.horizontalAdvance(row.name));
  needs.name = std::ceil(needs.name);
  needs.figure = 12 + std::ceil(std::max(small.horizontalAdvance(measuredHeading()),
                                         small.horizontalAdvance(predictedHeading())));
  needs.height = usualTableHeight(fonts);
  for (const LoopRow& row : rows)
    if (!row.usual) needs.height += rowHeight(linesOf(row.name, needs.name, fonts), fonts);
  return needs;
}

double turnsHeight(const Fonts& fonts, bool details) {
  return 2 * (lineOf(fonts.body) + kGap) + (details ? 2 * lineOf(fonts.small) : 0) +
         2 * kLowestRibbon + kLowestTurns;
}

// How turns, legend and rows share a canvas of some width.
struct Plan {
  enum class How {
    Wide,    // the rows stand beside turns and legend
    Beside,  // the rows stand beside the turns, and the legend is below both
    Below,   // one below the other
  } how = How::Below;
  TableNeeds table;
  double tableWidth = 0;
  double legend = 0;  // height, with the gap above it
  std::vector<LoopMark> marks;

  Plan(const LoopData& data, const std::vector<LoopRow>& rows, double width, const Fonts& fonts)
      : table(needsOf(rows, fonts)) {
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

void layRows(LoopGeometry& g, const std::vector<LoopRow>& rows, const TableNeeds& needs,
             const QRectF& room, const Fonts& fonts) {
  const double line = lineOf(fonts.body), small = lineOf(fonts.small);
  const QFontMetricsF body(fonts.body);
  // With the room that bars would have too little of.
  const double left = room.width() - kIndent - 2 * needs.figure;
  double names = 0;
  for (const LoopRow& row : rows) names = std::max(names, body.horizontalAdvance(row.name));
  names = std::min(std::ceil(names), std::max(needs.name, left / 2));
  g.withBars = left - names >= kShortestBars + 2 * kIndent;
  if (!g.withBars) names = left;

  g.heading = QRectF(room.left(), room.top(), room.width(), line);
  g.origin = QRectF(room.left(), g.heading.bottom(), room.width(), small);
  // With bars, the words before the columns of figures are long.
  QRectF& beside = g.withBars ? g.origin : g.heading;
  const auto column = [&](double top, double height, int number) {
    return QRectF(room.right() - (2 - number) * needs.figure, top, needs.figure, height);
  };
  g.measured = column(beside.top(), beside.height(), 0);
  g.predicted = column(beside.top(), beside.height(), 1);
  beside.setRight(g.measured.left());

  double least = 0;
  for (const LoopRow& row : rows) least += rowHeight(linesOf(row.name, names, fonts), fonts);
  double y = room.top() + headingsHeight(fonts);
  const double more = std::clamp(
      (room.bottom() - y - least) / std::max<double>(1, double(rows.size())), 0.0, line * 1.2);
  for (const LoopRow& row : rows) {
    LoopGeometry::RowPlace place;
    place.lines = linesOf(row.name, names, fonts);
    const double height = more + rowHeight(place.lines, fonts);
    place.room = QRectF(room.left(), y, room.width(), height);
    place.name = QRectF(room.left() + kIndent, y, names, height);
    place.measured = column(y, height, 0);
    place.predicted = column(y, height, 1);
    if (g.withBars)
      place.bars = QRectF(place.name.right() + kIndent, y + height * 0.2,
                          left - names - 2 * kIndent, height * 0.6);
    g.rows.push_back(place);
    y += height;
  }
}

}  // namespace

double LoopGeometry::usualHeight(const Fonts& fonts) {
  const double legend = 2 * kGap + 2 * lineOf(fonts.small);
  return 2 * kGap + std::max(turnsHeight(fonts, false), usualTableHeight(fonts)) + legend;
}

double LoopGeometry::leastHeight(const LoopData& data, const std::vector<LoopRow>& rows,
                                 double width, const Fonts& fonts) {
  return Plan(data, rows, width, fonts).leastHeight(fonts);
}

LoopGeometry LoopGeometry::of(const LoopData& data, const std::vector<LoopRow>& rows,
                              const QRectF& canvas, const Fonts& fonts, const LoopWindow& window) {
  LoopGeometry g;
  g.window = window;
  if (!data.ready()) return g;
  g.untouched = turnOf(data.study->untouched);
  if (data.possible()) g.rewritten = turnOf(data.shown().facts);
  Plan plan(data, rows, canvas.width(), fonts);
  const QRectF room = canvas.adjusted(kMargin, kGap, -kMargin, -kGap);
  QRectF turns = room, table = room;
  if (plan.how == Plan::How::Below) {
    table.setTop(room.bottom() - plan.table.height);
    turns.setBottom(table.top() - kMargin - plan.legend);
  } else {
    table.setLeft(room.right() - plan.tableWidth);
    turns.setRight(table.left() - 2 * kMargin);
    turns.setBottom(room.bottom() - plan.legend);
    if (plan.how == Plan::How::Beside) table.setBottom(turns.bottom());
  }
  layTurns(g, data, turns, fonts);
  layRows(g, rows, plan.table, table, fonts);
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
