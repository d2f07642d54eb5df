// SPDX-License-Identifier: GPL-3.0-or-later
// Places the labels of a lecture's marks: near their targets, without overlaps, and where they
// cover little of what the views show.
#pragma once

#include <QImage>
#include <QLineF>
#include <QRectF>
#include <optional>
#include <span>
#include <vector>

namespace tileloom {

// Measures the detail in each part of a picture: letters and edges count, plain ground and smooth
// colour do not.
class Clutter {
 public:
  // Without any detail.
  Clutter() = default;
  // `picture` has one pixel per unit; its upper left corner is at `at`.
  Clutter(const QImage& picture, const QPoint& at);

  // The share of a place's pixels that lie on an edge: 0 for plain ground, about 0.2 for text.
  // Outside of the picture counts as plain ground.
  double in(const QRectF& place) const;
  // The greatest share in any part of a place that is as large as a letter: one letter counts as
  // much as a line of text.
  double most(const QRectF& place) const;

 private:
  QPoint m_at;
  int m_width = 0, m_height = 0;
  std::vector<int> m_sums;  // of edges left of and above each pixel, (width + 1) x (height + 1)
};

// The label of one mark.
struct LabelWish {
  QSizeF size;
  QRectF target;
  double away = 6;      // the least distance from the target; an arrow needs some length
  bool within = false;  // is inside its target, a large area with neighbours
  // A line leads from the label to the nearest point of this; std::nullopt: none does.
  std::optional<QRectF> core = std::nullopt;
};

// From a label to the nearest point of `core`.
QLineF leadingLine(const QRectF& label, const QRectF& core);

// A place for each wish, within `room`. All targets stay free, except large ones with their label
// inside; so do the names and controls in `kept`, where that is possible. Without any room a label
// is at its target.
std::vector<QRectF> labelPlaces(std::span<const LabelWish> wishes, const QRectF& room,
                                const Clutter& clutter, std::span<const QRectF> kept = {});

// The greatest distance from a target that labelPlaces() considers, and so the part of a picture
// that it reads.
inline constexpr double kFarthestLabel = 150;

}  // namespace tileloom
