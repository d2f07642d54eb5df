// SPDX-License-Identifier: GPL-3.0-or-later
// Places the operands of a wgmma on the screen: A, 64 x 16, to the left of the sums, 64 x N, and B,
// 16 x N, above them, so that a row of A meets a column of B. The page Fragments and the loom's
// lowest level share this layout.
#pragma once

#include <QRectF>
#include <optional>

#include "kernels/analysis/tensor/group_product.h"
#include "viz/base/widgets/cursor_move.h"

namespace tileloom {

class GroupLayout {
 public:
  using Place = analysis::GroupProduct::Place;

  GroupLayout() = default;
  // As large as `room` allows, in its upper left; cells are at most `widest` times as wide as high.
  GroupLayout(const QRectF& room, std::uint32_t columns, double widest = 1.6);

  bool empty() const { return columns_ == 0; }
  std::uint32_t columns() const { return columns_; }
  QRectF whole() const { return whole_; }
  QRectF block(analysis::Matrix matrix) const;
  // Of a rectangle of cells from `first` on.
  QRectF part(const Place& first, std::uint32_t rows, std::uint32_t columns) const;
  QRectF cell(const Place& place) const { return part(place, 1, 1); }
  // The 16 rows of A or of the sums that a warp of the group, 0 to 3, has.
  QRectF band(analysis::Matrix matrix, std::uint32_t warp) const;
  QSizeF cellSize() const { return {wide_, high_}; }  // of a sum

  // The cell under a pixel.
  std::optional<Place> at(const QPointF& pixel) const;

  // From one place to its neighbour: across the edge of A and B to the sums and back; Next and
  // Previous cycle through the three operands.
  Place moved(const Place& from, CursorMove move, int count = 1) const;

 private:
  double left(analysis::Matrix matrix, std::uint32_t column) const;
  double top(analysis::Matrix matrix, std::uint32_t row) const;

  std::uint32_t columns_ = 0;
  QRectF whole_;
  double wide_ = 0, high_ = 0;  // of a sum
  double deep_ = 0;             // of an element along k
  double gap_ = 0;              // between the operands
  double bandGap_ = 0;          // between the rows of two warps
};

}  // namespace tileloom
