// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_cells.h"
#include "kernels/tile/placement.h"
#include "viz/loom/group_panel.h"
#include "viz/loom/instruction_panel.h"

#include <algorithm>
#include <vector>

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

std::optional<analysis::Element> moveInPanel(const ThreadPanel& panel,
                                             const analysis::Element& from, CursorMove move,
                                             int count) {
  if (panel.group) return moveInGroupPanel(panel, from, move, count);
  if (panel.cells.empty()) return std::nullopt;
  if (panel.ofWarp) return moveInOperands(panel, from, move, count);
  if (!panel.placeOf(from)) {
    // A fragment of another k: that of this k is in the same row or column.
    for (const auto& v : panel.a) {
      if (from.matrix == Matrix::A && v.element.row == from.row) return v.element;
    }
    for (const auto& v : panel.b) {
      if (from.matrix == Matrix::B && v.element.column == from.column) return v.element;
    }
    return panel.cells.front().element;
  }
  std::vector<std::int64_t> rows, columns;
  for (const auto& cell : panel.cells) {
    rows.push_back(cell.element.row);
    columns.push_back(cell.element.column);
  }
  for (auto* places : {&rows, &columns}) {
    std::ranges::sort(*places);
    places->erase(std::unique(places->begin(), places->end()), places->end());
  }
  const auto rank = [](const std::vector<std::int64_t>& places, std::int64_t at) {
    return static_cast<int>(std::ranges::lower_bound(places, at) - places.begin());
  };
  const int lastRow = static_cast<int>(rows.size()) - 1;
  const int lastColumn = static_cast<int>(columns.size()) - 1;
  Matrix matrix = from.matrix;
  // A fragment of A is left of all columns, one of B above all rows.
  int row = matrix == Matrix::B ? -1 : rank(rows, from.row);
  int column = matrix == Matrix::A ? -1 : rank(columns, from.column);
  // Only from the edge does a move cross it: a move by several cells ends there.
  const auto back = [count](int at, bool crosses) {
    return at <= 0 ? (crosses ? -1 : at) : std::max(0, at - count);
  };
  switch (move) {
    case CursorMove::Left:
      column = back(column, row >= 0 && !panel.a.empty());
      break;
    case CursorMove::Right:
      column = std::min(lastColumn, column < 0 ? 0 : column + count);
      break;
    case CursorMove::Up:
      row = back(row, column >= 0 && !panel.b.empty());
      break;
    case CursorMove::Down:
      row = std::min(lastRow, row < 0 ? 0 : row + count);
      break;
    case CursorMove::RowStart:
      column = column < 0 ? column : 0;
      break;
    case CursorMove::RowEnd:
      column = column < 0 ? column : lastColumn;
      break;
    case CursorMove::Next:
    case CursorMove::Previous: {
      const int step = move == CursorMove::Next ? 1 : 2;
      const auto has = [&panel](Matrix m) {
        return m == Matrix::C || !(m == Matrix::A ? panel.a : panel.b).empty();
      };
      do {
        matrix = static_cast<Matrix>((static_cast<int>(matrix) + step) % 3);
      } while (!has(matrix));
      row = matrix == Matrix::B ? -1 : std::max(0, row);
      column = matrix == Matrix::A ? -1 : std::max(0, column);
      break;
    }
  }
  const auto at = [](const std::vector<std::int64_t>& places, int i) {
    return places[static_cast<std::size_t>(i)];
  };
  if (column < 0) {
    for (const auto& value : panel.a) {
      if (value.element.row == at(rows, row)) return value.element;
    }
  } else if (row < 0) {
    for (const auto& value : panel.b) {
      if (value.element.column == at(columns, column)) return value.element;
    }
  } else {
    const analysis::Element to{Matrix::C, at(rows, row), at(columns, column)};
    if (panel.placeOf(to)) return to;
  }
  return from;
}

}  // namespace tileloom
