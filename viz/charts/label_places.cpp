// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/label_places.h"

#include <algorithm>
#include <cmath>

namespace tileloom::charts {
namespace {

constexpr double kGap = 4;         // between a mark and its label
constexpr double kFarthest = 170;  // a label farther away is useless
constexpr int kDirections = 24;

bool crosses(const QLineF& line, const QRectF& rect) {
  const QLineF sides[] = {{rect.topLeft(), rect.topRight()},
                          {rect.topRight(), rect.bottomRight()},
                          {rect.bottomRight(), rect.bottomLeft()},
                          {rect.bottomLeft(), rect.topLeft()}};
  return rect.contains(line.p1()) || rect.contains(line.p2()) ||
         std::ranges::any_of(sides, [&](const QLineF& side) {
           return line.intersects(side, nullptr) == QLineF::BoundedIntersection;
         });
}

}  // namespace

QPointF leaderEnd(const QRectF& label, const QPointF& anchor) {
  return {std::clamp(anchor.x(), label.left(), label.right()),
          std::clamp(anchor.y(), label.top(), label.bottom())};
}

double distanceTo(const QLineF& line, const QPointF& at) {
  const QPointF d = line.p2() - line.p1(), w = at - line.p1();
  const double squared = QPointF::dotProduct(d, d);
  const double share = squared > 0 ? std::clamp(QPointF::dotProduct(w, d) / squared, 0.0, 1.0) : 0;
  return QLineF(line.p1() + share * d, at).length();
}

void takeLine(LabelPlaces& places, const QLineF& line, double half) {
  const int steps = std::max(1, static_cast<int>(std::ceil(line.length() / (3 * half))));
  for (int i = 0; i <= steps; ++i) {
    const QPointF at = line.pointAt(static_cast<double>(i) / steps);
    places.taken.push_back({at.x() - 1.5 * half, at.y() - half, 3 * half, 2 * half});
  }
}

std::optional<QRectF> LabelPlaces::place(const QPointF& anchor, const QSizeF& size, double radius) {
  const auto free = [&](const QRectF& rect) {
    const auto hits = [&rect](const QRectF& other) { return other.intersects(rect); };
    if (!bounds.contains(rect) || std::ranges::any_of(taken, hits) ||
        std::ranges::any_of(labels, hits)) {
      return false;
    }
    // The line to its mark must not cross another label.
    const QLineF leader(anchor, leaderEnd(rect, anchor));
    return std::ranges::none_of(labels,
                                [&leader](const QRectF& other) { return crosses(leader, other); });
  };
  for (double away = radius + kGap; away < kFarthest; away *= 1.25) {
    for (int i = 0; i < kDirections; ++i) {
      // To the right first, then alternately above and below it, the left last.
      const int turn = (i % 2 == 0 ? 1 : -1) * ((i + 1) / 2);
      const double angle = 2 * M_PI * turn / kDirections;
      const QPointF to(anchor.x() + away * std::cos(angle), anchor.y() - away * std::sin(angle));
      // The label's edge or corner that faces the anchor is at `to`.
      const double x = std::cos(angle), y = std::sin(angle);
      const QRectF rect(
          QPointF(to.x() - size.width() * (1 - x) / 2, to.y() - size.height() * (1 + y) / 2), size);
      if (!free(rect)) continue;
      labels.push_back(rect);
      return rect;
    }
  }
  return std::nullopt;
}

}  // namespace tileloom::charts
