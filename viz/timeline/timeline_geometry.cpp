// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace tileloom {
namespace {

using timeline::Lane;
using timeline::LaneKind;
using timeline::Span;
using timeline::Timeline;
using timeline::Work;

constexpr double kGap = 5;       // between groups of rows
constexpr double kLeastRow = 4;  // pixels
constexpr double kMostRow = 44;
constexpr double kNarrow = 2.5;      // pixels: narrower spans are joined
constexpr double kJoined = 5;        // up to this many pixels
constexpr double kBusyHeight = 1.4;  // rows

// Lines of text: the legend below the rows, and above them the cycles and the K tiles. The measured
// timeline is below the predicted one, whose axis has the cycles.
double legendLines(const TimelineData& data) {
  return data.legend && !data.brief ? 1 : 0;
}
double axisLines(const TimelineData& data) {
  return data.namesCycles() ? 2 : 1;
}

struct Count {
  double flights = 0, tensor = 0, leaving = 0, warps = 0;
  bool busy = true;  // a row shows how busy a unit is, which timestamps do not show
  double rows() const {
    return flights + (busy ? kBusyHeight : 0) + tensor * 1.3 + leaving + warps;
  }
  bool multiplies() const { return busy || tensor > 0; }
  double gaps() const { return kGap * ((flights > 0 ? 1 : 0) + (multiplies() ? 1 : 0)); }
};

Count countOf(const TimelineData& data) {
  Count count;
  count.busy = !data.measured;
  for (const Lane& lane : data.timeline->lanes) {
    if (lane.kind == LaneKind::Flight) count.flights += 0.5;
    if (lane.kind == LaneKind::TensorCore) ++count.tensor;
    if (lane.kind == LaneKind::Leaving) ++count.leaving;
    if (lane.kind == LaneKind::Warp) ++count.warps;
  }
  return count;
}

// Other rows are for several lanes, or for none.
bool hasLane(const TimelineRow& row) {
  return row.kind != TimelineRow::Kind::Busy && row.kind != TimelineRow::Kind::Others;
}

// 1, 2 or 5 times a power of ten.
double roundStep(double least) {
  double step = std::pow(10.0, std::floor(std::log10(std::max(least, 1e-6))));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (step * factor >= least) return std::max(1.0, step * factor);
  }
  return step * 10;
}

}  // namespace

Doing doingOf(Work work) {
  switch (work) {
    case Work::Multiply:
    case Work::Mma:
    case Work::Product:
      return Doing::Multiply;
    case Work::Fragments:
      return Doing::Fragments;
    case Work::Fill:
      return Doing::Fill;
    case Work::Load:
    case Work::Copy:
    case Work::Box:
    case Work::Flight:
      return Doing::Ask;
    case Work::Store:
    case Work::BoxStore:
    case Work::Convert:
      return Doing::Store;
    case Work::Wait:
      return Doing::Wait;
    default:
      return Doing::Order;
  }
}

TimelineGeometry::TimelineGeometry(const TimelineInput& input, const TimelineData& data)
    : from(input.from), to(std::max(input.to, input.from + 1)) {
  condensed = input.rows != TimelineRows::Every;
  const QRectF area = condensed ? input.canvas : input.canvas.adjusted(8, 4, -10, -4);
  header = QRectF(area.left(), area.top(), area.width(), input.header);
  const double words = condensed ? 0 : legendLines(data) * input.line;
  legend = QRectF(area.left(), area.bottom() - words, area.width(), words);
  if (input.shares > 0)
    shares = QRectF(area.left(), legend.top() - input.shares, area.width(), input.shares);
  axis = QRectF(area.left() + input.names, header.bottom() + (condensed ? 0 : 2),
                area.width() - input.names, (condensed ? 1 : axisLines(data)) * input.line);
  plot = QRectF(axis.left(), axis.bottom(), axis.width(),
                legend.top() - input.shares - 3 - axis.bottom());
  names = QRectF(area.left(), plot.top(), input.names, plot.height());
  if (!data.ready() || plot.width() < 1 || plot.height() < 1) return;
  if (condensed) {
    placeCondensed(input.rows, data);
  } else {
    placeRows(data);
  }
  placeBoxes(data);
  const double step = roundStep((to - from) / std::max(1.0, plot.width() / (input.line * 6)));
  for (double cycle = std::ceil(from / step) * step; cycle <= to; cycle += step)
    ticks.push_back({xOf(cycle), cycle});
  const auto& starts = data.timeline->tileStarts;
  for (std::uint32_t i = 0; i < starts.size(); ++i) {
    const double end = i + 1 < starts.size() ? starts[i + 1] : data.timeline->loopEnd;
    if (end <= from || starts[i] >= to) continue;
    tiles.push_back({xOf(std::max(from, starts[i])), xOf(std::min(to, end)), i});
  }
  if (data.seam && data.seam->idle() > 0 && data.seam->last < to && data.seam->next > from) {
    const double left = xOf(std::max(from, data.seam->last));
    idle = QRectF(left, plot.top(), xOf(std::min(to, data.seam->next)) - left, plot.height());
  }
}

double TimelineGeometry::leastHeight(const TimelineData& data, double line, double header) {
  if (!data.ready()) return header + 4 * line;
  const Count count = countOf(data);
  return header + (axisLines(data) + legendLines(data)) * line + 14 + count.gaps() +
         kLeastRow * count.rows();
}

void TimelineGeometry::placeRows(const TimelineData& data) {
  const Timeline& t = *data.timeline;
  const Count count = countOf(data);
  const double unit =
      std::clamp((plot.height() - count.gaps()) / count.rows(), kLeastRow, kMostRow);
  double y = plot.top();
  const auto place = [&](TimelineRow row, double height) {
    row.rect = QRectF(plot.left(), y, plot.width(), height);
    rows.push_back(row);
    y += height;
  };
  for (std::uint32_t i = 0; i < t.lanes.size(); ++i) {
    if (t.lanes[i].kind == LaneKind::Flight && t.lanes[i].matrix == analysis::Matrix::A)
      place({TimelineRow::Kind::Flight, {}, i, {}}, unit);
  }
  if (count.flights > 0) y += kGap;
  if (count.busy) place({TimelineRow::Kind::Busy, {}, 0, t.multiplier()}, unit * kBusyHeight);
  for (std::uint32_t i = 0; i < t.lanes.size(); ++i) {
    if (t.lanes[i].kind == LaneKind::TensorCore)
      place({TimelineRow::Kind::TensorCore, {}, i, {}}, unit * 1.3);
  }
  for (std::uint32_t i = 0; i < t.lanes.size(); ++i) {
    if (t.lanes[i].kind == LaneKind::Leaving) place({TimelineRow::Kind::Leaving, {}, i, {}}, unit);
  }
  if (count.multiplies()) y += kGap;
  for (std::uint32_t i = 0; i < t.lanes.size(); ++i) {
    if (t.lanes[i].kind == LaneKind::Warp) place({TimelineRow::Kind::Warp, {}, i, {}}, unit);
  }
  plot.setBottom(y);
  names.setBottom(y);
}

// Shares of the height: data in flight, the multiplying unit, the watched warp, the others.
void TimelineGeometry::placeCondensed(TimelineRows wanted, const TimelineData& data) {
  constexpr double kFlights = 1.3, kMultiplies = 1.0, kWarp = 1.35, kOthers = 1.0, kBetween = 3;
  const Timeline& t = *data.timeline;
  const Count count = countOf(data);
  const bool few = wanted == TimelineRows::Fewest;
  const bool flights = count.flights > 0 && !few, others = count.warps > 1 && !few;
  const double weights = (flights ? kFlights : 0) + kMultiplies + kWarp + (others ? kOthers : 0);
  const int gaps = 1 + (flights ? 1 : 0) + (others ? 1 : 0);
  const double unit = std::max(1.0, (plot.height() - gaps * kBetween) / weights);
  double y = plot.top();
  const auto place = [&](TimelineRow row, double height) {
    row.rect = QRectF(plot.left(), y, plot.width(), height);
    rows.push_back(row);
    y += height;
  };
  const auto lanesOf = [&](LaneKind kind, auto act) {
    for (std::uint32_t i = 0; i < t.lanes.size(); ++i) {
      if (t.lanes[i].kind == kind) act(i);
    }
  };
  if (flights) {
    lanesOf(LaneKind::Flight, [&](std::uint32_t i) {
      if (t.lanes[i].matrix == analysis::Matrix::A)
        place({TimelineRow::Kind::Flight, {}, i, {}}, unit * kFlights / count.flights);
    });
    y += kBetween;
  }
  if (count.tensor > 0) {
    lanesOf(LaneKind::TensorCore, [&](std::uint32_t i) {
      place({TimelineRow::Kind::TensorCore, {}, i, {}}, unit * kMultiplies / count.tensor);
    });
  } else {
    place({TimelineRow::Kind::Busy, {}, 0, t.multiplier()}, unit * kMultiplies);
  }
  y += kBetween;
  if (const auto lane = t.laneOfWarp(data.warp))
    place({TimelineRow::Kind::Warp, {}, *lane, {}}, unit * kWarp);
  if (others) {
    y += kBetween;
    place({TimelineRow::Kind::Others, {}, 0, {}}, unit * kOthers);
    placeColumns(rows.back(), data);
  }
  plot.setBottom(y);
  names.setBottom(y);
}

void TimelineGeometry::placeColumns(const TimelineRow& row, const TimelineData& data) {
  constexpr double kWidth = 2;  // pixels
  const auto count = static_cast<std::size_t>(std::ceil(plot.width() / kWidth));
  const double cycles = (to - from) / plot.width() * kWidth;
  columns.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    columns[i].rect = QRectF(plot.left() + static_cast<double>(i) * kWidth, row.rect.top(), kWidth,
                             row.rect.height());
  double warps = 0;
  for (const Lane& lane : data.timeline->lanes) {
    if (lane.kind == LaneKind::Warp && lane.number != data.warp) ++warps;
  }
  for (const Lane& lane : data.timeline->lanes) {
    if (lane.kind != LaneKind::Warp || lane.number == data.warp) continue;
    auto span =
        std::ranges::partition_point(lane.spans, [&](const Span& s) { return s.end <= from; });
    for (; span != lane.spans.end() && span->begin < to; ++span) {
      const Doing doing = doingOf(span->work);
      if (doing == Doing::Wait) continue;
      const double begin = std::max(from, span->begin), end = std::min(to, span->end);
      auto i = static_cast<std::size_t>((begin - from) / cycles);
      for (; i < count && from + static_cast<double>(i) * cycles < end; ++i) {
        const double left = from + static_cast<double>(i) * cycles;
        const double within = std::min(end, left + cycles) - std::max(begin, left);
        const double share = std::max(0.0, within) / cycles / warps;
        if (doing == Doing::Multiply) {
          columns[i].multiply += share;
        } else if (doing == Doing::Order) {
          columns[i].orders += share;
        } else {
          columns[i].moves[static_cast<std::size_t>(span->matrix)] += share;
        }
      }
    }
  }
}

const TimelineColumn* TimelineGeometry::columnAt(const QPointF& pixel) const {
  if (columns.empty() || pixel.y() < columns[0].rect.top() || pixel.y() >= columns[0].rect.bottom())
    return nullptr;
  for (const TimelineColumn& column : columns) {
    if (pixel.x() >= column.rect.left() && pixel.x() < column.rect.right()) return &column;
  }
  return nullptr;
}

QRectF TimelineGeometry::laneRect(const TimelineRow& row, std::uint32_t lane) const {
  const double margin = row.rect.height() > 9 ? 1.5 : row.rect.height() > 5 ? 0.5 : 0.25;
  const QRectF inner = row.rect.adjusted(0, margin, 0, -margin);
  if (row.kind != TimelineRow::Kind::Flight) return inner;
  QRectF half = inner;
  half.setHeight(inner.height() / 2);
  if (lane != row.lane) half.moveTop(inner.center().y());
  return half;
}

void TimelineGeometry::placeBoxes(const TimelineData& data) {
  const double perCycle = plot.width() / (to - from);
  // Adjacent pictures show parts of one box: words and hatching are where the whole box has them.
  const double beyond = condensed ? 4 * (to - from) : 0;
  for (const TimelineRow& row : rows) {
    if (!hasLane(row)) continue;
    const std::uint32_t last = row.kind == TimelineRow::Kind::Flight ? row.lane + 1 : row.lane;
    for (std::uint32_t lane = row.lane; lane <= last; ++lane) {
      const auto& spans = data.timeline->lanes[lane].spans;
      const QRectF band = laneRect(row, lane);
      auto i = static_cast<std::uint32_t>(
          std::ranges::partition_point(spans, [&](const Span& s) { return s.end <= from; }) -
          spans.begin());
      while (i < spans.size() && spans[i].begin < to) {
        const auto left = [&](std::uint32_t s) { return std::max(from - beyond, spans[s].begin); };
        const auto right = [&](std::uint32_t s) { return std::min(to + beyond, spans[s].end); };
        TimelineBox box;
        box.lane = lane;
        box.first = i;
        std::uint32_t end = i + 1;
        if ((right(i) - left(i)) * perCycle < kNarrow) {
          while (end < spans.size() && spans[end].begin < to &&
                 (right(end) - left(end)) * perCycle < kNarrow &&
                 (right(end) - left(i)) * perCycle <= kJoined)
            ++end;
        }
        box.count = end - i;
        const double begin = left(i), stop = right(end - 1);
        box.rect = QRectF(xOf(begin), band.top(), (stop - begin) * perCycle, band.height());
        if (box.joined() && stop > begin) {
          for (std::uint32_t s = i; s < end; ++s)
            box.shares[static_cast<std::size_t>(doingOf(spans[s].work))] +=
                static_cast<float>((right(s) - left(s)) / (stop - begin));
        }
        boxes.push_back(box);
        i = end;
      }
    }
  }
}

double TimelineGeometry::xOf(double cycle) const {
  return plot.left() + (cycle - from) / (to - from) * plot.width();
}

double TimelineGeometry::cycleAt(double x) const {
  return plot.width() > 0 ? from + (x - plot.left()) / plot.width() * (to - from) : from;
}

const TimelineRow* TimelineGeometry::rowAt(const QPointF& pixel) const {
  for (const TimelineRow& row : rows) {
    if (pixel.y() >= row.rect.top() && pixel.y() < row.rect.bottom()) return &row;
  }
  return nullptr;
}

const TimelineRow* TimelineGeometry::rowOf(std::uint32_t lane) const {
  for (const TimelineRow& row : rows) {
    if (!hasLane(row)) continue;
    if (row.lane == lane || (row.kind == TimelineRow::Kind::Flight && row.lane + 1 == lane))
      return &row;
  }
  return nullptr;
}

std::optional<TimelineGeometry::Spot> TimelineGeometry::spotAt(const TimelineData& data,
                                                               const QPointF& pixel) const {
  if (!data.ready() || pixel.x() < plot.left() || pixel.x() > plot.right()) return std::nullopt;
  const TimelineRow* row = rowAt(pixel);
  if (row == nullptr || !hasLane(*row)) return std::nullopt;
  const bool lower = row->kind == TimelineRow::Kind::Flight && pixel.y() >= row->rect.center().y();
  const std::uint32_t lane = row->lane + (lower ? 1 : 0);
  const auto& spans = data.timeline->lanes[lane].spans;
  const double cycle = cycleAt(pixel.x());
  const auto after =
      std::ranges::partition_point(spans, [&](const Span& s) { return s.begin <= cycle; });
  if (after == spans.begin()) return std::nullopt;
  const auto found = std::prev(after);
  // A pixel may be wider than a span.
  const double slack = (to - from) / std::max(1.0, plot.width());
  if (cycle > found->end + slack) return std::nullopt;
  return Spot{lane, static_cast<std::uint32_t>(found - spans.begin())};
}

QRectF TimelineGeometry::rectOf(const TimelineData& data, const Spot& spot) const {
  const TimelineRow* row = rowOf(spot.lane);
  if (row == nullptr || !data.ready()) return {};
  const Span& span = data.timeline->lanes[spot.lane].spans[spot.span];
  const QRectF band = laneRect(*row, spot.lane);
  const double left = xOf(std::clamp(span.begin, from, to));
  const double right = xOf(std::clamp(span.end, from, to));
  return {left, band.top(), std::max(1.0, right - left), band.height()};
}

std::vector<TimelineArrow> TimelineGeometry::arrows(const TimelineData& data, std::uint32_t lane,
                                                    double begin, double end) const {
  std::vector<TimelineArrow> found;
  if (!data.ready()) return found;
  for (const timeline::Arrow& arrow : data.timeline->arrows) {
    if (arrow.toLane != lane || arrow.to < begin || arrow.to > end) continue;
    if (arrow.to < from || arrow.to > to || arrow.fromLane == lane) continue;
    const TimelineRow* source = rowOf(arrow.fromLane);
    const TimelineRow* target = rowOf(arrow.toLane);
    if (source == nullptr || target == nullptr) continue;
    TimelineArrow shown;
    shown.known = arrow.from >= from;
    shown.from = {xOf(std::max(from, arrow.from)), laneRect(*source, arrow.fromLane).center().y()};
    shown.to = {xOf(arrow.to), target->rect.center().y()};
    found.push_back(shown);
  }
  return found;
}

}  // namespace tileloom
