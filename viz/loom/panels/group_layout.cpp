// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/panels/group_layout.h"

#include <algorithm>

#include "viz/loom/loom_cells.h"

namespace tileloom {
namespace {

using analysis::GroupProduct;
using analysis::Matrix;

constexpr std::uint32_t kBands = emulator::kWarpsPerGroup;
constexpr double kLeastDepth = 1.5;   // pixels of an element along k
constexpr double kShareOfDepth = 80;  // an operand is 16 of these in the height of a picture

}  // namespace

GroupLayout::GroupLayout(const QRectF& room, std::uint32_t columns, double widest)
    : columns_(columns) {
  gap_ = std::clamp(room.height() / 40, 3.0, 8.0);
  bandGap_ = std::clamp(room.height() / 120, 1.0, 3.0);
  deep_ = std::max(kLeastDepth,
                   std::min(room.height() / kShareOfDepth, room.width() / (columns + 16.0)));
  const double along = GroupProduct::kDepth * deep_ + gap_;
  high_ = std::max(0.2, (room.height() - along - (kBands - 1) * bandGap_) / GroupProduct::kRows);
  wide_ = std::max(0.2, (room.width() - along) / columns);
  wide_ = std::min(wide_, widest * high_);
  high_ = std::min(high_, widest * wide_);
  whole_ =
      QRectF(room.topLeft(), QSizeF(along + columns * wide_,
                                    along + GroupProduct::kRows * high_ + (kBands - 1) * bandGap_));
}

double GroupLayout::left(Matrix matrix, std::uint32_t column) const {
  return matrix == Matrix::A ? whole_.left() + column * deep_
                             : whole_.left() + GroupProduct::kDepth * deep_ + gap_ + column * wide_;
}

double GroupLayout::top(Matrix matrix, std::uint32_t row) const {
  return matrix == Matrix::B ? whole_.top() + row * deep_
                             : whole_.top() + GroupProduct::kDepth * deep_ + gap_ + row * high_ +
                                   row / GroupProduct::kWarpRows * bandGap_;
}

QRectF GroupLayout::part(const Place& first, std::uint32_t rows, std::uint32_t columns) const {
  const Matrix m = first.matrix;
  // The end of the last cell, without the gap after it.
  const QPointF end(left(m, first.column + columns - 1) + (m == Matrix::A ? deep_ : wide_),
                    top(m, first.row + rows - 1) + (m == Matrix::B ? deep_ : high_));
  return {QPointF(left(m, first.column), top(m, first.row)), end};
}

QRectF GroupLayout::block(Matrix matrix) const {
  if (empty()) return {};
  return part({matrix, 0, 0}, matrix == Matrix::B ? GroupProduct::kDepth : GroupProduct::kRows,
              matrix == Matrix::A ? GroupProduct::kDepth : columns_);
}

QRectF GroupLayout::band(Matrix matrix, std::uint32_t warp) const {
  return part({matrix, warp * GroupProduct::kWarpRows, 0}, GroupProduct::kWarpRows,
              matrix == Matrix::A ? GroupProduct::kDepth : columns_);
}

std::optional<GroupLayout::Place> GroupLayout::at(const QPointF& pixel) const {
  for (const Matrix m : {Matrix::A, Matrix::B, Matrix::C}) {
    if (!block(m).contains(pixel)) continue;
    Place place{m, 0, 0};
    place.column = static_cast<std::uint32_t>(
        std::max(0.0, (pixel.x() - left(m, 0)) / (m == Matrix::A ? deep_ : wide_)));
    place.column = std::min(place.column, m == Matrix::A ? GroupProduct::kDepth - 1 : columns_ - 1);
    if (m == Matrix::B) {
      place.row = std::min(static_cast<std::uint32_t>((pixel.y() - top(m, 0)) / deep_),
                           GroupProduct::kDepth - 1);
      return place;
    }
    for (std::uint32_t band = 0; band < kBands; ++band) {
      const QRectF rows = this->band(m, band);
      if (pixel.y() < rows.top() || pixel.y() >= rows.bottom()) continue;
      place.row = band * GroupProduct::kWarpRows +
                  std::min(static_cast<std::uint32_t>((pixel.y() - rows.top()) / high_),
                           GroupProduct::kWarpRows - 1);
      return place;
    }
  }
  return std::nullopt;
}

GroupLayout::Place GroupLayout::moved(const Place& from, CursorMove move, int count) const {
  const LoomCells cells{{0, 0, GroupProduct::kRows, GroupProduct::kDepth},
                        {0, 0, GroupProduct::kDepth, columns_},
                        {0, 0, GroupProduct::kRows, columns_}};
  LoomCursor cursor;
  cursor.place(cells, {from.matrix, from.row, from.column});
  cursor.move(cells, move, count);
  const analysis::Element to = cursor.element(cells);
  return {to.matrix, static_cast<std::uint32_t>(to.row), static_cast<std::uint32_t>(to.column)};
}

}  // namespace tileloom
