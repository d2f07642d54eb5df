// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_labels.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "viz/charts/roofline/roofline_words.h"

namespace tileloom::charts {
namespace {

// Distances in pixels within which points count as crowded; all are tried, because the best depends
// on the points. 0: no crowds, each label is at the nearest free place.
constexpr std::array kCrowdAcross = {0.0, 24.0, 34.0, 60.0, 100.0};
constexpr double kCrowdDown = 26;
constexpr double kClear = 7;       // between a label and the mark of another point
constexpr double kColumnGap = 18;  // from a crowd to a column of labels
constexpr double kColumnStep = 12;
constexpr int kColumnSteps = 8;
constexpr int kShifts = 24;  // half lines by which a column may be moved up or down
// Costs, in pixels of leader line.
constexpr double kCrossing = 600;  // two such lines cross
constexpr double kThrough = 150;   // one crosses the mark of another point
constexpr double kRoof = 300;      // one crosses a roof
constexpr double kShort = 120;     // a number replaces the title
constexpr double kMissing = 4000;  // a point without a label

// The possible texts of a label, the fuller first, with their sizes.
struct Wording {
  const RooflineMark* mark = nullptr;
  double radius = 0;
  struct Text {
    QString number;  // before the words; may be empty
    QString words;
    QSizeF size;
  };
  std::vector<Text> texts{};
  const Text& text(bool brief) const { return brief ? texts.back() : texts.front(); }
};
using Crowd = std::vector<const Wording*>;

// The labels of a column, one for each of its points, and the lines to them.
struct Column {
  Crowd points{};
  bool brief = false;
  std::vector<QRectF> rects{};
  std::vector<QLineF> leaders{};  // from the label to the middle of the mark
};

// The obstacles in this strip: few of the small boxes along the roofs.
std::vector<QRectF> obstaclesIn(const QRectF& strip, const LabelPlaces& places) {
  std::vector<QRectF> found;
  for (const auto* all : {&places.taken, &places.labels}) {
    std::ranges::copy_if(*all, std::back_inserter(found),
                         [&strip](const QRectF& each) { return each.intersects(strip); });
  }
  return found;
}

// Whether it cannot be mistaken for the label of another point.
bool isClear(const QRectF& rect, const RooflineMark& own, const std::vector<RooflineMark>& marks) {
  return std::ranges::none_of(marks, [&](const RooflineMark& mark) {
    const double away = mark.radius + kClear;
    return mark.main && !mark.elsewhere && mark.point != own.point && mark.at != own.at &&
           rect.adjusted(-away, -mark.radius, away, mark.radius).contains(mark.at);
  });
}

bool cross(const QLineF& a, const QLineF& b) {
  return a.intersects(b, nullptr) == QLineF::BoundedIntersection;
}

// Each label at its point's height, pushed down by the one above; then all are shifted up by their
// mean error.
std::vector<double> heights(const Crowd& points, double pitch, const QRectF& bounds) {
  std::vector<double> middles;
  for (const Wording* w : points) {
    const double y = w->mark->at.y();
    middles.push_back(middles.empty() ? y : std::max(y, middles.back() + pitch));
  }
  double low = 0;
  for (std::size_t i = 0; i < middles.size(); ++i) low += middles[i] - points[i]->mark->at.y();
  low /= static_cast<double>(middles.size());
  const double least = std::max(0.0, middles.back() + pitch / 2 - bounds.bottom());
  const double most = std::max(least, middles.front() - pitch / 2 - bounds.top());
  const double lift = std::clamp(low, least, most);
  for (double& y : middles) y -= lift;
  return middles;
}

// Swaps neighbours with crossing lines: the lines get shorter each time, so it terminates.
void uncross(Column& column) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < column.points.size(); ++i) {
      for (std::size_t k = i + 1; k < column.points.size(); ++k) {
        QLineF& a = column.leaders[i];
        QLineF& b = column.leaders[k];
        const QLineF swappedA(a.p1(), b.p2()), swappedB(b.p1(), a.p2());
        if (swappedA.length() + swappedB.length() >= a.length() + b.length() - 1e-6) continue;
        a = swappedA;
        b = swappedB;
        std::swap(column.points[i], column.points[k]);
        changed = true;
      }
    }
  }
}

// A column for these points beside `edge`. std::nullopt: no room.
std::optional<Column> columnAt(Crowd points, bool toRight, bool brief, double edge,
                               const LabelPlaces& places, const std::vector<RooflineMark>& marks) {
  Column column{std::move(points), brief};
  if (column.points.empty()) return column;
  std::ranges::stable_sort(column.points, {}, [](const Wording* w) { return w->mark->at.y(); });
  double pitch = 0, widest = 0, narrowest = std::numeric_limits<double>::max();
  for (const Wording* w : column.points) {
    widest = std::max(widest, w->text(brief).size.width());
    narrowest = std::min(narrowest, w->text(brief).size.width());
  }
  for (const Wording* w : column.points) pitch = std::max(pitch, w->text(brief).size.height() + 1);
  const std::vector<double> usual = heights(column.points, pitch, places.bounds);
  for (int away = 0; away < kColumnSteps; ++away) {
    const double x = edge + (toRight ? 1 : -1) * (kColumnGap + away * kColumnStep);
    const QRectF strip(toRight ? x : x - widest - 4, places.bounds.top(), widest + 4,
                       places.bounds.height());
    if (!places.bounds.contains(strip)) return std::nullopt;
    const std::vector<QRectF> obstacles = obstaclesIn(strip, places);
    for (int i = 0; i < kShifts; ++i) {
      // Its ideal place first, then alternately below and above.
      const double shift = (i % 2 == 0 ? -1 : 1) * ((i + 1) / 2) * pitch / 2;
      // Skip places where not even the shortest text is free.
      const auto blocked = [&](double y) {
        const QRectF least(toRight ? x + 2 : x - 2 - narrowest, y + shift - pitch / 2 + 2,
                           narrowest, pitch - 4);
        return !places.bounds.contains(least) ||
               std::ranges::any_of(obstacles,
                                   [&least](const QRectF& each) { return each.intersects(least); });
      };
      if (std::ranges::any_of(usual, blocked)) continue;
      column.leaders.clear();
      for (std::size_t k = 0; k < usual.size(); ++k)
        column.leaders.emplace_back(QPointF(x, usual[k] + shift), column.points[k]->mark->at);
      uncross(column);
      column.rects.clear();
      bool free = true;
      for (std::size_t k = 0; k < usual.size() && free; ++k) {
        const QSizeF size = column.points[k]->text(brief).size;
        const QPointF end = column.leaders[k].p1();
        const QRectF rect(
            QPointF(toRight ? x + 2 : x - 2 - size.width(), end.y() - size.height() / 2), size);
        free = places.bounds.contains(rect) &&
               std::ranges::none_of(
                   obstacles, [&rect](const QRectF& each) { return each.intersects(rect); }) &&
               isClear(rect, *column.points[k]->mark, marks);
        column.rects.push_back(rect);
      }
      if (free) return column;
    }
  }
  return std::nullopt;
}

double costOf(const Column& left, const Column& right, const RooflinePanel& g) {
  double cost = 0;
  std::vector<QLineF> lines;
  for (const Column* column : {&left, &right}) {
    for (std::size_t i = 0; i < column->points.size(); ++i) {
      const QLineF& line = column->leaders[i];
      cost += line.length();
      if (column->brief && column->points[i]->texts.size() > 1) cost += kShort;
      for (const RooflineRoof& roof : g.roofs) cost += cross(line, roof.line) ? kRoof : 0;
      for (const RooflineMark& mark : g.marks) {
        if (mark.at == column->points[i]->mark->at || mark.point == column->points[i]->mark->point)
          continue;
        if (distanceTo(line, mark.at) < mark.radius + 1) cost += kThrough;
      }
      for (const QLineF& other : lines) cost += cross(line, other) ? kCrossing : 0;
      lines.push_back(line);
    }
  }
  return cost;
}

// Labels the points of a crowd: the leftmost ones in the left column, the others in the right one,
// split at the least cost.
void labelCrowd(RooflinePanel& g, Crowd crowd, LabelPlaces& places,
                std::vector<const RooflineMark*>& done) {
  std::ranges::stable_sort(crowd, [](const Wording* a, const Wording* b) {
    return std::pair(a->mark->at.x(), a->mark->at.y()) <
           std::pair(b->mark->at.x(), b->mark->at.y());
  });
  double edges[2] = {g.plot.right(), g.plot.left()};
  for (const Wording* w : crowd) {
    edges[0] = std::min(edges[0], w->mark->at.x() - w->radius);
    edges[1] = std::max(edges[1], w->mark->at.x() + w->radius);
  }
  double least = kMissing * static_cast<double>(crowd.size());
  std::optional<std::pair<Column, Column>> best;
  for (std::size_t split = 0; split <= crowd.size(); ++split) {
    const auto middle = crowd.begin() + static_cast<std::ptrdiff_t>(split);
    for (const bool briefLeft : {false, true}) {
      const auto left =
          columnAt({crowd.begin(), middle}, false, briefLeft, edges[0], places, g.marks);
      if (!left) continue;
      for (const bool briefRight : {false, true}) {
        const auto right =
            columnAt({middle, crowd.end()}, true, briefRight, edges[1], places, g.marks);
        if (!right) continue;
        const double cost = costOf(*left, *right, g);
        if (cost < least) {
          least = cost;
          best = {*left, *right};
        }
        break;  // shorter texts are worse
      }
      break;
    }
  }
  if (!best) return;
  for (const Column* column : {&best->first, &best->second}) {
    for (std::size_t i = 0; i < column->points.size(); ++i) {
      const Wording& w = *column->points[i];
      QLineF leader = column->leaders[i];
      leader.setLength(std::max(0.0, leader.length() - w.radius - 1));
      places.labels.push_back(column->rects[i]);
      takeLine(places, leader, 1);
      const Wording::Text& text = w.text(column->brief);
      g.labels.push_back({w.mark->point, text.number, text.words, column->rects[i], leader});
      done.push_back(w.mark);
    }
  }
}

std::vector<Wording> wordingsOf(const RooflinePanel& g, const RooflineData& data,
                                const RooflineFonts& fonts, bool titles) {
  std::vector<const RooflineMark*> order;
  for (const RooflineMark& mark : g.marks) {
    if (mark.main && !mark.elsewhere) order.push_back(&mark);
  }
  // The present tile is placed first, then the baseline, then the topmost points.
  const auto rank = [&data](const RooflineMark& mark) {
    return mark.point < 0 ? 0 : mark.point == data.baseline ? 1 : 2;
  };
  std::ranges::stable_sort(order, [&rank](const RooflineMark* a, const RooflineMark* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return a->at.y() < b->at.y();
  });
  std::vector<Wording> wordings;
  for (const RooflineMark* mark : order) {
    const RooflinePoint& p = data.point(mark->point);
    const bool present = mark->point < 0 || mark->point == data.baseline;
    QFont font = fonts.small;
    if (present) font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    Wording w{mark, mark->radius, {}};
    const QString number = pointNumber(p);
    const double before = numberWidth(fonts.small, number);
    const double high = std::ceil(metrics.height()) - 2;
    const QString title = pointTitle(data, mark->point);
    if (present || titles || p.rung() == nullptr)
      w.texts.push_back({number, title, {before + metrics.horizontalAdvance(title) + 2, high}});
    // For a title that does not fit, or would fill the plot.
    if (mark->point == data.baseline) {
      const QString brief = baselineName();
      w.texts.push_back({number, brief, {before + metrics.horizontalAdvance(brief) + 2, high}});
    }
    if (!number.isEmpty() && mark->point >= 0) w.texts.push_back({number, {}, {before, high}});
    if (w.texts.empty()) continue;
    wordings.push_back(std::move(w));
  }
  return wordings;
}

// Groups of points whose labels are in each other's way, directly or through others.
std::vector<Crowd> crowdsOf(const std::vector<Wording>& wordings, double across) {
  std::vector<Crowd> crowds;
  std::vector<bool> taken(wordings.size(), false);
  for (std::size_t i = 0; i < wordings.size(); ++i) {
    if (taken[i]) continue;
    std::vector<std::size_t> found{i};
    taken[i] = true;
    for (std::size_t f = 0; f < found.size(); ++f) {
      for (std::size_t k = 0; k < wordings.size(); ++k) {
        const QPointF away = wordings[k].mark->at - wordings[found[f]].mark->at;
        if (taken[k] || std::abs(away.x()) > across || std::abs(away.y()) > kCrowdDown) continue;
        taken[k] = true;
        found.push_back(k);
      }
    }
    if (found.size() < 2 || across <= 0) continue;
    Crowd crowd;
    for (const std::size_t f : found) crowd.push_back(&wordings[f]);
    crowds.push_back(std::move(crowd));
  }
  return crowds;
}

// Places all labels; points within `across` pixels count as crowded.
void labelAll(RooflinePanel& g, const std::vector<Wording>& wordings, double across,
              LabelPlaces& places) {
  std::vector<const RooflineMark*> done;
  for (Crowd& crowd : crowdsOf(wordings, across)) labelCrowd(g, std::move(crowd), places, done);
  for (const Wording& w : wordings) {
    if (std::ranges::find(done, w.mark) != done.end()) continue;
    for (const Wording::Text& text : w.texts) {
      const auto rect = places.place(w.mark->at, text.size, w.radius);
      if (!rect) continue;
      RooflineLabel label{w.mark->point, text.number, text.words, *rect, {}};
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

bool crossesRect(const QLineF& line, const QRectF& rect) {
  return cross(line, {rect.topLeft(), rect.bottomRight()}) ||
         cross(line, {rect.bottomLeft(), rect.topRight()});
}

// The total cost of these labels.
double costOf(const RooflinePanel& g, const std::vector<Wording>& wordings) {
  double cost = kMissing * static_cast<double>(wordings.size() - g.labels.size());
  for (const RooflineLabel& label : g.labels) {
    const auto own =
        std::ranges::find(wordings, label.point, [](const Wording& w) { return w.mark->point; });
    if (own->texts.size() > 1 && label.text != own->texts.front().words) cost += kShort;
    if (!isClear(label.rect, *own->mark, g.marks)) cost += kThrough;
    if (label.leader.isNull()) continue;
    cost += label.leader.length();
    for (const RooflineMark& mark : g.marks) {
      if (mark.point == label.point || mark.at == own->mark->at) continue;
      if (distanceTo(label.leader, mark.at) < mark.radius + 1) cost += kThrough;
    }
    for (const RooflineRoof& roof : g.roofs) cost += cross(label.leader, roof.line) ? kRoof : 0;
    for (const RooflineLabel& other : g.labels) {
      if (other.point == label.point) continue;
      if (cross(label.leader, other.leader)) cost += kCrossing / 2;  // counted twice
      if (crossesRect(label.leader, other.rect)) cost += kCrossing;
    }
  }
  return cost;
}

}  // namespace

void labelPoints(RooflinePanel& g, const RooflineData& data, const RooflineFonts& fonts,
                 bool titles, LabelPlaces& places) {
  const std::vector<Wording> wordings = wordingsOf(g, data, fonts, titles);
  const LabelPlaces before = places;
  std::optional<double> least;
  std::vector<RooflineLabel> best;
  for (const double across : kCrowdAcross) {
    g.labels.clear();
    LabelPlaces tried = before;
    labelAll(g, wordings, across, tried);
    const double cost = costOf(g, wordings);
    if (least && cost >= *least) continue;
    least = cost;
    best = g.labels;
    places = std::move(tried);
  }
  g.labels = std::move(best);
}

}  // namespace tileloom::charts
