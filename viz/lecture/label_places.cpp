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

double areaOf(const QRectF& r) {
  return std::max(0.0, r.width()) * std::max(0.0, r.height());
}

double between(const QRectF& a, const QRectF& b) {
  const double x = std::max({0.0, a.left() - b.right(), b.left() - a.right()});
  const double y = std::max({0.0, a.top() - b.bottom(), b.top() - a.bottom()});
  return std::hypot(x, y);
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

std::vector<QRectF> labelPlaces(std::span<const LabelWish> wishes, const QRectF& room,
                                const Clutter& clutter) {
  constexpr double kMargin = 3;
  std::vector<QRectF> taken;
  for (const LabelWish& wish : wishes) {
    QRectF best;
    double least = std::numeric_limits<double>::infinity();
    for (const QRectF& place : candidates(wish, room)) {
      const QRectF wide = place.adjusted(-kMargin, -kMargin, kMargin, kMargin);
      if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(wide); }))
        continue;
      double cost = kPerClutter * clutter.in(wide) + between(place, wish.target);
      for (const LabelWish& other : wishes) {
        const QRectF hidden = other.target & wide;
        // A large target has room for its label.
        const bool inside = &other == &wish && other.target.contains(place);
        if (!inside && !other.within) cost += kPerTarget * areaOf(hidden) / areaOf(wide);
      }
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
