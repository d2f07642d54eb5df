// SPDX-License-Identifier: GPL-3.0-or-later
// Where the words of a lecture's marks go: near their target, beside each other, and where they
// hide as little as possible of what the views show.
#pragma once

#include <QImage>
#include <QRectF>
#include <span>
#include <vector>

namespace tileloom {

// How much there is to see in each part of a picture: letters and edges count, plain ground and
// smooth colour do not.
class Clutter {
 public:
  // Nothing is to be seen anywhere.
  Clutter() = default;
  // `picture` has one pixel per unit; its upper left corner is at `at`.
  Clutter(const QImage& picture, const QPoint& at);

  // The share of a place's pixels that lie on an edge: 0 for plain ground, about 0.2 for text.
  // What lies outside of the picture counts as plain ground.
  double in(const QRectF& place) const;

 private:
  QPoint m_at;
  int m_width = 0, m_height = 0;
  std::vector<int> m_sums;  // of edges left of and above each pixel, (width + 1) x (height + 1)
};

// The words of one mark.
struct LabelWish {
  QSizeF size;
  QRectF target;
  double away = 6;      // the least distance from the target; an arrow needs some length
  bool within = false;  // stands in its target, which is a large area with neighbours
};

// A place for each wish, within `room`. All targets stay free, except large ones that have a label
// in them. Where there is no room at all a label stands at its target.
std::vector<QRectF> labelPlaces(std::span<const LabelWish> wishes, const QRectF& room,
                                const Clutter& clutter);

// The farthest that labelPlaces() looks from a target, and with it the part of a picture that it
// reads.
inline constexpr double kFarthestLabel = 150;

}  // namespace tileloom
