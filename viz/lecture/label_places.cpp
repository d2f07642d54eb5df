// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/label_places.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace tileloom {
namespace {

// Neighbours whose greys differ by this much are an edge.
constexpr int kEdge = 28;
// Cost of covering text, as a distance: a clutter of 0.2 costs 130 pixels.
constexpr double kPerClutter = 650;
// Covering the target of any mark is worse than any distance.
constexpr double kPerTarget = 1000;
// Covering a name or a control: a part of it, and all that is behind the label.
constexpr double kTouched = 120, kPerKept = 500;
// A share up to this comes from lines, and costs nothing more. A letter of share 0.4 costs 70
// pixels, and half of that where only a line crosses it.
constexpr double kNoLetter = 0.22, kPerLetter = 400;
constexpr int kLetter = 10;  // pixels
// A line that crosses another label.
constexpr double kCrossed = 200;

double areaOf(const QRectF& r) {
  return std::max(0.0, r.width()) * std::max(0.0, r.height());
}

double between(const QRectF& a, const QRectF& b) {
  const double x = std::max({0.0, a.left() - b.right(), b.left() - a.right()});
  const double y = std::max({0.0, a.top() - b.bottom(), b.top() - a.bottom()});
  return std::hypot(x, y);
}

QPointF nearest(const QRectF& place, const QPointF& to) {
  return {std::clamp(to.x(), place.left(), place.right()),
          std::clamp(to.y(), place.top(), place.bottom())};
}

double letterCost(double share) {
  return kPerLetter * std::max(0.0, share - kNoLetter);
}

bool crosses(const QLineF& line, const QRectF& box) {
  const int steps = static_cast<int>(line.length() / 3);
  for (int i = 0; i <= steps; ++i)
    if (box.contains(line.pointAt(steps > 0 ? static_cast<double>(i) / steps : 0))) return true;
  return false;
}

// Of the line from a label to its target, outside of both.
double lineCost(const LabelWish& wish, const QRectF& place, std::span<const QRectF> taken,
                std::span<const QRectF> kept, const Clutter& clutter) {
  if (!wish.core) return 0;
  const QLineF line = leadingLine(place, *wish.core);
  double cost = 0;
  for (const QRectF& other : taken) {
    if (crosses(line, other)) cost += kCrossed;
  }
  for (const QRectF& name : kept) {
    if (!name.intersects(wish.target) && crosses(line, name)) cost += kTouched;
  }
  constexpr double kStep = 5, kWide = kLetter - 2;
  for (double at = kWide; at + kStep < line.length(); at += kStep) {
    const QPointF middle = line.pointAt(at / line.length());
    if (wish.target.contains(middle)) break;
    cost +=
        letterCost(clutter.in({middle.x() - kWide / 2, middle.y() - kWide / 2, kWide, kWide})) / 2;
  }
  return cost;
}

double keptCost(const QRectF& place, std::span<const QRectF> kept) {
  double cost = 0;
  for (const QRectF& free : kept) {
    const double hidden = areaOf(free & place);
    if (hidden > kLetter) cost += kTouched + kPerKept * hidden / areaOf(place);
  }
  return cost;
}

// All candidate places, the usual ones first: of two equal ones the first wins.
std::vector<QRectF> candidates(const LabelWish& wish, const QRectF& room) {
  std::vector<QRectF> places;
  const QSizeF size = wish.size;
  const QRectF& t = wish.target;
  const auto add = [&](double x, double y) {
    const QRectF place(QPointF(x, y), size);
    if (room.contains(place)) places.push_back(place);
  };
  constexpr double kEdgeGap = 6;
  const double spareX = t.width() - size.width() - 2 * kEdgeGap;
  const double spareY = t.height() - size.height() - 2 * kEdgeGap;
  if (wish.within || (spareX > 0 && spareY > 2 * size.height())) {
    // An area has its label at the lower edge by default.
    for (const double y : {1.0, 0.5, 0.0, 0.75, 0.25})
      for (const double x : {0.5, 0.0, 1.0, 0.25, 0.75})
        add(t.left() + kEdgeGap + std::max(0.0, spareX) * x,
            t.top() + kEdgeGap + std::max(0.0, spareY) * y);
    if (wish.within && !places.empty()) return places;
  }
  const double w = size.width(), h = size.height();
  const double beside[] = {t.center().x() - w / 2, t.left(), t.right() - w, t.right(),
                           t.left() - w};
  const double level[] = {t.center().y() - h / 2, t.top(), t.bottom() - h};
  for (double away = wish.away; away <= kFarthestLabel - h; away += away < 30 ? 8 : 16) {
    for (const double x : beside) add(x, t.top() - away - h);
    for (const double x : beside) add(x, t.bottom() + away);
    for (const double y : level) {
      add(t.right() + away, y);
      add(t.left() - away - w, y);
    }
  }
  return places;
}

// If nothing fits: at the target, within the room.
QRectF forced(const LabelWish& wish, const QRectF& room) {
  QRectF place(wish.target.center() - QPointF(wish.size.width() / 2, wish.size.height() / 2),
               wish.size);
  place.moveLeft(std::max(room.left(), std::min(place.left(), room.right() - place.width())));
  place.moveTop(std::max(room.top(), std::min(place.top(), room.bottom() - place.height())));
  return place;
}

}  // namespace

Clutter::Clutter(const QImage& picture, const QPoint& at)
    : m_at(at), m_width(picture.width()), m_height(picture.height()) {
  const QImage grey = picture.convertToFormat(QImage::Format_Grayscale8);
  const auto stride = static_cast<std::size_t>(m_width) + 1;
  m_sums.assign(stride * (static_cast<std::size_t>(m_height) + 1), 0);
  for (int y = 0; y < m_height; ++y) {
    const uchar* row = grey.constScanLine(y);
    const uchar* above = y > 0 ? grey.constScanLine(y - 1) : row;
    int inRow = 0;
    for (int x = 0; x < m_width; ++x) {
      const int left = x > 0 ? row[x - 1] : row[x];
      if (std::abs(row[x] - left) > kEdge || std::abs(row[x] - above[x]) > kEdge) ++inRow;
      const std::size_t here =
          (static_cast<std::size_t>(y) + 1) * stride + static_cast<std::size_t>(x) + 1;
      m_sums[here] = m_sums[here - stride] + inRow;
    }
  }
}

double Clutter::in(const QRectF& place) const {
  if (m_sums.empty()) return 0;
  const QRect all = place.toAlignedRect().translated(-m_at);
  const QRect seen = all & QRect(0, 0, m_width, m_height);
  if (seen.isEmpty()) return 0;
  const auto sum = [&](int x, int y) {
    return m_sums[static_cast<std::size_t>(y) * (static_cast<std::size_t>(m_width) + 1) +
                  static_cast<std::size_t>(x)];
  };
  const int right = seen.right() + 1, bottom = seen.bottom() + 1;
  const int edges = sum(right, bottom) - sum(seen.left(), bottom) - sum(right, seen.top()) +
                    sum(seen.left(), seen.top());
  return static_cast<double>(edges) / (static_cast<double>(all.width()) * all.height());
}

double Clutter::most(const QRectF& place) const {
  if (m_sums.empty()) return 0;
  constexpr double kStep = kLetter / 2.0;
  double most = 0;
  for (double y = place.top(); y < place.bottom(); y += kStep) {
    for (double x = place.left(); x < place.right(); x += kStep) {
      const QRectF letter(std::min(x, std::max(place.left(), place.right() - kLetter)),
                          std::min(y, std::max(place.top(), place.bottom() - kLetter)), kLetter,
                          kLetter);
      most = std::max(most, in(letter));
    }
  }
  return most;
}

QLineF leadingLine(const QRectF& label, const QRectF& core) {
  const QPointF tip = nearest(core, label.center());
  return {nearest(label.adjusted(8, 0, -8, 0), tip), tip};
}

std::vector<QRectF> labelPlaces(std::span<const LabelWish> wishes, const QRectF& room,
                                const Clutter& clutter, std::span<const QRectF> kept) {
  constexpr double kMargin = 3;
  std::vector<QRectF> taken;
  for (const LabelWish& wish : wishes) {
    QRectF best;
    double least = std::numeric_limits<double>::infinity();
    for (const QRectF& place : candidates(wish, room)) {
      const QRectF wide = place.adjusted(-kMargin, -kMargin, kMargin, kMargin);
      if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(wide); }))
        continue;
      double cost =
          kPerClutter * clutter.in(wide) + between(place, wish.target) + keptCost(wide, kept);
      for (const LabelWish& other : wishes) {
        const QRectF hidden = other.target & wide;
        // A large target has room for its label.
        const bool inside = &other == &wish && other.target.contains(place);
        if (!inside && !other.within) cost += kPerTarget * areaOf(hidden) / areaOf(wide);
      }
      if (cost < least) cost += letterCost(clutter.most(wide));
      if (cost < least) cost += lineCost(wish, place, taken, kept, clutter);
      if (cost < least) {
        least = cost;
        best = place;
      }
    }
    if (best.isNull()) best = forced(wish, room);
    taken.push_back(best);
  }
  return taken;
}

}  // namespace tileloom
