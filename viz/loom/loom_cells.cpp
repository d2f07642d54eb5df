// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_cells.h"

#include <algorithm>

namespace tileloom {

using analysis::Matrix;
using analysis::Region;

void LoomCursor::clamp(const LoomCells& cells) {
  const Region& tile = cells.of(matrix_);
  row_ = std::clamp<std::int64_t>(row_, 0, std::max<std::int64_t>(1, tile.rows) - 1);
  column_ = std::clamp<std::int64_t>(column_, 0, std::max<std::int64_t>(1, tile.columns) - 1);
}

bool LoomCursor::crossEdge(const LoomCells& cells, CursorMove move) {
  const Region& tile = cells.of(matrix_);
  if (matrix_ == Matrix::A && move == CursorMove::Right && column_ == tile.columns - 1) {
    matrix_ = Matrix::C;
    column_ = 0;
  } else if (matrix_ == Matrix::B && move == CursorMove::Down && row_ == tile.rows - 1) {
    matrix_ = Matrix::C;
    row_ = 0;
  } else if (matrix_ == Matrix::C && move == CursorMove::Left && column_ == 0 && !cells.a.empty()) {
    matrix_ = Matrix::A;
    column_ = cells.a.columns - 1;
  } else if (matrix_ == Matrix::C && move == CursorMove::Up && row_ == 0 && !cells.b.empty()) {
    matrix_ = Matrix::B;
    row_ = cells.b.rows - 1;
  } else {
    return false;
  }
  clamp(cells);
  return true;
}

bool LoomCursor::move(const LoomCells& cells, CursorMove move, std::int64_t count) {
  clamp(cells);
  if (crossEdge(cells, move)) return true;
  const Matrix matrix = matrix_;
  const std::int64_t row = row_, column = column_;
  switch (move) {
    case CursorMove::Left:
      column_ -= count;
      break;
    case CursorMove::Right:
      column_ += count;
      break;
    case CursorMove::Up:
      row_ -= count;
      break;
    case CursorMove::Down:
      row_ += count;
      break;
    case CursorMove::RowStart:
      column_ = 0;
      break;
    case CursorMove::RowEnd:
      column_ = cells.of(matrix_).columns - 1;
      break;
    case CursorMove::Next:
    case CursorMove::Previous: {
      const int step = move == CursorMove::Next ? 1 : 2;
      do {
        matrix_ = static_cast<Matrix>((static_cast<int>(matrix_) + step) % 3);
      } while (cells.of(matrix_).empty() && matrix_ != matrix);
      break;
    }
  }
  clamp(cells);
  return matrix_ != matrix || row_ != row || column_ != column;
}

void LoomCursor::place(const LoomCells& cells, const analysis::Element& element) {
  matrix_ = element.matrix;
  row_ = element.row - cells.of(matrix_).row;
  column_ = element.column - cells.of(matrix_).column;
  clamp(cells);
}

analysis::Element LoomCursor::element(const LoomCells& cells) const {
  LoomCursor inside = *this;
  inside.clamp(cells);
  const Region& tile = cells.of(matrix_);
  return {matrix_, tile.row + inside.row_, tile.column + inside.column_};
}

}  // namespace tileloom
