// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/panels/panel_moves.h"

#include <algorithm>
#include <vector>

#include "kernels/tile/placement.h"
#include "viz/loom/panels/group_panel.h"
#include "viz/loom/panels/instruction_panel.h"

namespace tileloom {

using analysis::Matrix;

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
