// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/charts/label_places.h"
#include "viz/charts/roofline/roofline_inset.h"
#include "viz/charts/roofline/roofline_labels.h"
#include "viz/charts/roofline/roofline_panel.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom::charts {
namespace {

using model::MemoryLevel;
using model::Roof;

constexpr double kFactsFrom = 1000;   // numbers are beside the chart from this width on, in pixels
constexpr double kMostLabels = 0.25;  // of the width, for labels to the right of the last point
constexpr double kLabelGap = 50;      // from that point to its label
constexpr double kNear = 12;          // hit radius of a point, in pixels
constexpr double kKeyGap = 14;        // between the names of levels
constexpr double kTitlesFrom = 420;   // width of the plot for labels with more than the number
constexpr double kInsetTitlesFrom = 200;  // the same with an inset for the crowd
constexpr QSizeF kInsetLeast = {15, 4};   // of an inset's plot, in lines of text
constexpr double kTitleLines = 8;         // height of the plot, in lines of text, for titles
constexpr double kInsetShare = 0.56;      // of the chart's width
constexpr double kInsetGap = 16;          // to its left

// The points that have their labels in an inset, and that inset's ranges.
struct Elsewhere {
  std::vector<int> points{};
  InsetRanges ranges{};
};

// The range of what is shown, with air: `labels` pixels to the right of the last point that has its
// label in this panel, and one `line` of text above the ceiling.
void setRanges(RooflinePanel& g, const RooflineData& data, double labels, double line,
               const Elsewhere& elsewhere) {
  double last = 0;  // the rightmost point that has its label here
  double left = std::numeric_limits<double>::max(), right = 0, bottom = left, top = 0;
  for (const int i : pointsOf(data)) {
    const RooflinePoint& p = data.point(i);
    const bool labelled = std::ranges::find(elsewhere.points, i) == elsewhere.points.end();
    bool stands = false;  // is at a shown level
    for (const MemoryLevel level : levelsOf(data.level)) {
      const auto intensity = p.traffic.intensity(level);
      if (!intensity) continue;
      stands = true;
      left = std::min(left, *intensity);
      right = std::max(right, *intensity);
      if (labelled) last = std::max(last, *intensity);
    }
    const auto speed = speedOf(p);
    if (!stands || !speed) continue;
    bottom = std::min(bottom, *speed);
    top = std::max(top, *speed);
  }
  const auto peak = peakOf(data);
  if (peak) {
    top = std::max(top, *peak);
    for (const Roof roof : model::kMemoryRoofs) {
      const auto bandwidth = ceilingOf(data.ceilings, roof);
      if (!bandwidth) continue;
      if (!isShown(data, roof)) continue;
      // The ridge point, and enough before it for the slope and its name.
      right = std::max(right, 2 * *peak / *bandwidth);
      left = std::min(left, *peak / *bandwidth / 8);
    }
  }
  if (right <= 0) left = 1, right = 100;
  if (top <= 0) top = 1e5;
  g.x.low = left / 1.25;
  g.x.high = right * 1.25;
  // Room for labels to the right of the last point.
  const double share = std::min(labels / g.plot.width(), kMostLabels);
  if (last > 0) g.x.high = std::max(g.x.high, g.x.low * std::pow(last / g.x.low, 1 / (1 - share)));
  if (!elsewhere.points.empty()) {  // the frame lies within the axes
    g.x.low = std::min(g.x.low, elsewhere.ranges.left / 1.02);
    g.x.high = std::max(g.x.high, elsewhere.ranges.right * 1.02);
  }
  // Room above the top for one line of text, the name of the pipes' roof.
  g.y.low = std::min(bottom / 1.35, top / 30);
  const double above = std::min(0.3, (line + 8) / g.plot.height());
  g.y.high = top * std::pow(top / g.y.low, above / (1 - above));
}

// In the line below the axis, which has the axis title if there is one level.
void setKeys(RooflineGeometry& g, const QFont& font) {
  const QFontMetricsF metrics(font);
  double wide = metrics.horizontalAdvance(keysTitle());
  for (const MemoryLevel level : levelsOf(RooflineLevel::All)) {
    const QString text = levelName(level);
    g.keys.push_back({level, {}, {}, text});
    wide += kKeyGap + 2 * kMarkRadius + 4 + metrics.horizontalAdvance(text);
  }
  double x = g.axis.center().x() - wide / 2 + metrics.horizontalAdvance(keysTitle());
  std::ranges::reverse(g.keys);  // as on the axis from left to right
  for (RooflineKey& key : g.keys) {
    x += kKeyGap;
    key.at = {x + kMarkRadius, g.axis.center().y()};
    x += 2 * kMarkRadius + 4;
    const double width = metrics.horizontalAdvance(key.text);
    key.rect = {x, g.axis.top(), width + 1, g.axis.height()};
    x += width;
  }
}

// The places of an inset's title, ticks and plot.
void setInset(RooflineInset& inset, const QRectF& outer, double yTicks, double line) {
  inset.outer = outer;
  inset.plot = outer.adjusted(yTicks, line + 5, -8, -(line + 4));
  inset.titleRect = {inset.plot.left(), outer.top() + 2, inset.plot.width(), line};
}

class Layout {
 public:
  Layout(const RooflineData& data, const QSizeF& size, const RooflineFonts& fonts)
      : m_data(data), m_fonts(fonts) {
    const QFontMetricsF small(fonts.small);
    m_line = small.height();
    m_yTicks =
        small.horizontalAdvance(data.ladder == Ladder::Tensor ? QStringLiteral("1,000 TFLOP/s")
                                                              : QStringLiteral("100 GFLOP/s")) +
        14;
    const double beside =
        size.width() >= kFactsFrom ? std::clamp(0.33 * size.width(), 225.0, 330.0) : 0;
    const double top = m_line + 8, bottom = 2 * m_line + 10;
    m_room = QRectF(m_yTicks, top, std::max(60.0, size.width() - m_yTicks - beside - 12),
                    std::max(50.0, size.height() - top - bottom));
    if (beside > 0)
      g.facts = QRectF(m_room.right() + 18, top, beside - 18, size.height() - top - 4);
    for (const int i : pointsOf(data)) {
      const QString title =
          QStringLiteral("%1 %2").arg(pointNumber(data.point(i)), pointTitle(data, i));
      m_label = std::max(m_label, small.horizontalAdvance(title));
    }
  }

  RooflineGeometry make() {
    g.axis = {m_room.left(), m_room.bottom() + 6 + m_line, m_room.width(), m_line};
    layMain(m_room, {});
    layInset();
    if (m_data.level == RooflineLevel::All) setKeys(g, m_fonts.small);
    placeLabels();
    return std::move(g);
  }

 private:
  void layMain(const QRectF& plot, const Elsewhere& elsewhere) {
    const QRectF facts = g.facts, axis = g.axis;
    g = {};
    g.facts = facts;
    g.axis = axis;
    g.plot = plot;
    setRanges(g, m_data, m_label + kLabelGap, m_line, elsewhere);
    layPanel(g, m_data, m_fonts.small);
  }

  // Sets the inset's marks, its frame in the main chart, and which marks have their labels in it.
  void fill(RooflineInset inset, const Elsewhere& elsewhere) {
    const InsetRanges& r = elsewhere.ranges;
    inset.x.low = r.left, inset.x.high = r.right;
    inset.y.low = r.bottom, inset.y.high = r.top;
    layPanel(inset, m_data, m_fonts.small);
    inset.frame = frameOf(r);
    inset.guides = {{inset.frame.topRight(), inset.outer.topLeft()},
                    {inset.frame.bottomRight(), inset.outer.bottomLeft()}};
    std::vector<int> rungs;
    for (RooflineMark& mark : g.marks) {
      const auto inside = std::ranges::find_if(inset.marks, [&mark](const RooflineMark& each) {
        return each.point == mark.point && each.level == mark.level;
      });
      mark.elsewhere = inside != inset.marks.end() && inside->main;
      const Stage* stage = m_data.point(mark.point).rung();
      if (inside != inset.marks.end() && stage != nullptr) rungs.push_back(stage->rung);
    }
    std::ranges::sort(rungs);
    rungs.erase(std::unique(rungs.begin(), rungs.end()), rungs.end());
    inset.title = insetTitle(rungs, m_data.ladder);
    g.inset = std::move(inset);
  }

  QRectF frameOf(const InsetRanges& r) const {
    return QRectF(QPointF(g.x.at(r.left), g.y.at(r.top)),
                  QPointF(g.x.at(r.right), g.y.at(r.bottom)));
  }

  // The inset takes the right part of the plot's room.
  void layInset() {
    RooflineInset inset;
    const QRectF outer(m_room.right() - kInsetShare * m_room.width(), m_room.top() - 2,
                       kInsetShare * m_room.width(), m_room.height() + m_line + 6);
    setInset(inset, outer, m_yTicks, m_line);
    const QSizeF least = kInsetLeast * m_line;
    if (inset.plot.width() < least.width() || inset.plot.height() < least.height()) return;
    QRectF main = m_room;
    main.setRight(outer.left() - kInsetGap);
    Elsewhere elsewhere;
    elsewhere.points = crowdedPoints(g, m_data, main.size(), inset.plot.size());
    if (elsewhere.points.empty()) return;
    elsewhere.ranges =
        rangesAround(m_data, elsewhere.points, inset.plot.size(), m_label + kLabelGap);
    layMain(main, elsewhere);
    fill(std::move(inset), elsewhere);
  }

  LabelPlaces placesIn(const RooflinePanel& panel) const {
    LabelPlaces places;
    places.bounds = panel.plot.adjusted(2, 1, -2, -2);
    // Nothing can be above the pipes' ceiling.
    if (const auto peak = peakOf(m_data))
      places.bounds.setTop(std::max(places.bounds.top(), panel.y.at(*peak) + 3));
    takeMarks(places, panel);
    return places;
  }

  bool hasTitles(const QRectF& plot, double from) const {
    return plot.width() >= from && plot.height() >= kTitleLines * m_line;
  }

  void placeLabels() {
    LabelPlaces places = placesIn(g);
    if (g.inset) {
      places.taken.push_back(g.inset->outer);
      places.taken.push_back(g.inset->frame);
      for (const QLineF& guide : g.inset->guides) takeLine(places, guide, 2);
    }
    nameRoofs(g, m_data, m_fonts.small, places);
    for (const RooflineRoof& roof : g.roofs) takeLine(places, roof.line, 2);
    const double titles = g.inset ? kInsetTitlesFrom : kTitlesFrom;
    labelPoints(g, m_data, m_fonts, hasTitles(g.plot, titles), places);
    if (!g.inset) return;
    // Labels of points come first here: the roofs have their names in the main chart.
    RooflineInset& inset = *g.inset;
    LabelPlaces inside = placesIn(inset);
    for (const RooflineRoof& roof : inset.roofs) takeLine(inside, roof.line, 2);
    labelPoints(inset, m_data, m_fonts, hasTitles(inset.plot, kInsetTitlesFrom), inside);
    LabelPlaces names = placesIn(inset);
    for (const RooflineLabel& label : inset.labels) {
      names.taken.push_back(label.rect);
      takeLine(names, label.leader, 2);
    }
    nameRoofs(inset, m_data, m_fonts.small, names);
  }

  const RooflineData& m_data;
  const RooflineFonts& m_fonts;
  double m_line = 0;    // pixels
  double m_yTicks = 0;  // width of the speeds beside an axis
  double m_label = 0;   // of the longest label
  QRectF m_room;        // of the plot and of an inset beside it
  RooflineGeometry g;
};

}  // namespace

std::optional<int> RooflineGeometry::pointAt(const QPointF& at) const {
  const RooflinePanel& panel =
      inset && inset->outer.contains(at) ? static_cast<const RooflinePanel&>(*inset) : *this;
  for (const RooflineLabel& label : panel.labels) {
    if (label.rect.contains(at)) return label.point;
  }
  std::optional<int> best;
  double nearest = kNear;
  for (const RooflineMark& mark : panel.marks) {
    const double away = QLineF(mark.at, at).length();
    if (away >= nearest) continue;
    nearest = away;
    best = mark.point;
  }
  return best;
}

RooflineGeometry rooflineGeometry(const RooflineData& data, const QSizeF& size,
                                  const RooflineFonts& fonts) {
  return Layout(data, size, fonts).make();
}

}  // namespace tileloom::charts
