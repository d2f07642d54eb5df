// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/path_cursor.h"

#include <algorithm>
#include <vector>

namespace tileloom {
namespace {

using analysis::MemoryPath;

// The station's cells in reading order, each by its first value.
std::vector<std::size_t> cellsOf(const PathGeometry& geometry, const MemoryPath& path,
                                 const PathGeometry::Column& column) {
  struct CellPlace {
    double top, left;
    std::size_t value;
  };
  std::vector<CellPlace> places;
  for (std::size_t i = 0; i < path.values.size(); ++i) {
    const QRectF cell = geometry.of(column, path.values[i]);
    if (!cell.isEmpty()) places.push_back({cell.top(), cell.left(), i});
  }
  std::ranges::stable_sort(places, [](const CellPlace& x, const CellPlace& y) {
    return x.top != y.top ? x.top < y.top : x.left < y.left;
  });
  const auto same = [](const CellPlace& x, const CellPlace& y) {
    return x.top == y.top && x.left == y.left;
  };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  std::vector<std::size_t> cells;
  for (const CellPlace& p : places) cells.push_back(p.value);
  return cells;
}

}  // namespace

std::optional<PathCell> moveInPath(const PathGeometry& geometry, const MemoryPath& path,
                                   std::optional<PathCell> from, CursorMove move, int count) {
  const auto& columns = geometry.columns();
  if (path.values.empty() || columns.empty()) return std::nullopt;
  if (!from || from->column >= columns.size() || from->value >= path.values.size())
    return PathCell{};
  PathCell to = *from;
  const auto stands = [&](std::size_t column) {
    return !geometry.of(columns[column], path.values[to.value]).isEmpty();
  };
  const auto last = columns.size() - 1;
  switch (move) {
    case CursorMove::Left:
    case CursorMove::RowStart:
      for (int left = move == CursorMove::Left ? count : static_cast<int>(last);
           left > 0 && to.column > 0 && stands(to.column - 1); --left)
        --to.column;
      break;
    case CursorMove::Right:
    case CursorMove::RowEnd:
      for (int left = move == CursorMove::Right ? count : static_cast<int>(last);
           left > 0 && to.column < last && stands(to.column + 1); --left)
        ++to.column;
      break;
    case CursorMove::Up:
    case CursorMove::Down: {
      const auto cells = cellsOf(geometry, path, columns[to.column]);
      const QRectF here = geometry.of(columns[to.column], path.values[to.value]);
      const auto at = std::ranges::find_if(cells, [&](std::size_t value) {
        return geometry.of(columns[to.column], path.values[value]) == here;
      });
      if (at == cells.end()) break;
      const auto place = static_cast<int>(at - cells.begin());
      const int wanted = place + (move == CursorMove::Down ? count : -count);
      to.value = cells[static_cast<std::size_t>(
          std::clamp(wanted, 0, static_cast<int>(cells.size()) - 1))];
      break;
    }
    case CursorMove::Next:
    case CursorMove::Previous: {
      // The nearest lane in that direction with a value at the same place of its access, or with
      // any value.
      const MemoryPath::Value& now = path.values[to.value];
      const auto ahead = [&](const MemoryPath::Value& v) {
        return move == CursorMove::Next ? static_cast<int>(v.lane) - static_cast<int>(now.lane)
                                        : static_cast<int>(now.lane) - static_cast<int>(v.lane);
      };
      int best = 64;
      for (std::size_t i = 0; i < path.values.size(); ++i) {
        const MemoryPath::Value& v = path.values[i];
        const int distance = 2 * ahead(v) - (v.part == now.part ? 1 : 0);
        if (ahead(v) <= 0 || distance >= best) continue;
        if (geometry.of(columns[to.column], v).isEmpty()) continue;
        best = distance;
        to.value = i;
      }
      break;
    }
  }
  return to;
}

}  // namespace tileloom
