// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/panels/thread_panel.h"

#include <algorithm>
#include <map>

#include "kernels/analysis/recording.h"
#include "kernels/tile/placement.h"

namespace tileloom {
namespace {

using analysis::Element;
using analysis::Matrix;
using analysis::Region;

constexpr double kSubtileGap = 0.35;  // between subtiles, of a cell
constexpr double kValueGap = 0.45;    // between fragments and accumulators, of a cell
constexpr double kValueWidth = 1.6;   // of a fragment of A, in cells
constexpr double kLargest = 64;       // pixels of a cell
constexpr double kReadable = 9;       // pixels of a cell from which names get room
constexpr std::size_t kMostCells = 4096;

// The place of each row (or column) of C in the grid, in cells from its first.
struct Ranks {
  std::map<std::int64_t, double> at;
  double length = 0;
  int gaps = 0;
};

// `gap`: between stretches that do not touch, in cells.
Ranks ranksOf(std::vector<std::pair<std::int64_t, std::int64_t>> stretches,
              double gap = kSubtileGap) {
  std::ranges::sort(stretches);
  stretches.erase(std::unique(stretches.begin(), stretches.end()), stretches.end());
  Ranks ranks;
  std::int64_t end = 0;
  for (const auto& [first, count] : stretches) {
    if (!ranks.at.empty() && first > end) {
      ranks.length += gap;
      ++ranks.gaps;
    }
    for (std::int64_t i = first; i < first + count; ++i) {
      if (ranks.at.emplace(i, ranks.length).second) ranks.length += 1;
    }
    end = first + count;
  }
  return ranks;
}

}  // namespace

QRectF onItsWay(const QRectF& from, const QRectF& to, double t) {
  return {from.topLeft() + (to.topLeft() - from.topLeft()) * t,
          from.bottomRight() + (to.bottomRight() - from.bottomRight()) * t};
}

std::optional<Element> ThreadPanel::elementAt(const QPointF& pixel) const {
  if (gathered < 0.5) return std::nullopt;
  if (group) {
    const auto place = group->layout.at(pixel);
    return place ? group->product->elementAt(*place) : std::nullopt;
  }
  for (const Cell& c : cells) {
    if (c.rect.contains(pixel)) return c.element;
  }
  for (const auto* values : {&a, &b}) {
    for (const Value& v : *values) {
      if (v.rect.contains(pixel)) return v.element;
    }
  }
  return std::nullopt;
}

Element ThreadPanel::front() const {
  if (!group) return cells.front().element;
  const analysis::GroupProduct& product = *group->product;
  for (const auto& sum : product.sums) {
    if (sum) return sum->element;
  }
  for (const auto& factor : product.a) {
    if (factor) return *factor;
  }
  return {};
}

std::optional<QRectF> ThreadPanel::placeOf(const Element& element) const {
  if (group) {
    const auto place = group->product->placeOf(element);
    return place ? std::optional(group->layout.cell(*place)) : std::nullopt;
  }
  for (const Cell& c : cells) {
    if (c.element == element) return c.rect;
  }
  for (const auto* values : {&a, &b}) {
    for (const Value& v : *values) {
      if (v.element == element) return v.rect;
    }
  }
  return std::nullopt;
}

std::uint32_t ThreadPanel::holderOf(const Element& element) const {
  if (group) {
    const auto place = group->product->placeOf(element);
    // No thread holds an operand.
    if (!place || place->matrix != Matrix::C) return thread;
    return group->product->sumAt(place->row, place->column)->thread;
  }
  if (!ofWarp) return thread;
  const std::uint32_t first = thread / emulator::kWarpSize * emulator::kWarpSize;
  for (const Cell& c : cells) {
    if (c.element == element) return first + c.lane;
  }
  for (const auto* values : {&a, &b}) {
    for (const Value& v : *values) {
      if (v.element == element) return first + v.lane;
    }
  }
  return thread;
}

ThreadPanel threadPanel(const Scene& scene, const LoomGeometry& g,
                        const std::optional<analysis::OuterProduct>& product, double label) {
  ThreadPanel panel;
  panel.thread = scene.shownThread();
  panel.gathered = g.nearness();
  const auto& subtiles = scene.recording->map.subtiles[panel.thread];
  if (panel.gathered <= 0.01 || subtiles.empty()) return panel;

  std::vector<std::pair<std::int64_t, std::int64_t>> rowParts, columnParts;
  std::size_t count = 0;
  for (const Region& s : subtiles) {
    rowParts.emplace_back(s.row, s.rows);
    columnParts.emplace_back(s.column, s.columns);
    count += static_cast<std::size_t>(s.rows * s.columns);
  }
  if (count > kMostCells) return panel;
  Ranks rows = ranksOf(rowParts);
  const Ranks columns = ranksOf(columnParts);

  // Right of the slab of A and below that of B, with a line of words above, and room for values.
  const QRectF view = g.viewport();
  panel.area = QRectF(QPointF(std::min(g.slabA().right(), view.center().x()) + label,
                              std::min(g.slabB().bottom(), view.center().y()) + 0.6 * label),
                      view.bottomRight() - QPointF(label, 1.2 * label));
  const double across = columns.length + kValueGap + kValueWidth;
  // A line of words above the grid, and the name of the fragments, where there is room for cells
  // too.
  const double words = panel.area.height() > 9 * label ? 2.2 * label : 0;
  panel.worded = words > 0;
  const double room = panel.area.height() - words;
  const auto edgeFor = [&](double height, double cells) {
    return std::max(1.0, std::min({kLargest, panel.area.width() / across, height / cells}));
  };
  double down = rows.length + kValueGap + 1;
  panel.edge = edgeFor(room, down);
  if (const double name = 0.9 * label; rows.gaps > 0 && kSubtileGap * panel.edge < name) {
    // Subtiles above others get a gap that their name fits into, if cells stay large enough.
    const double edge = edgeFor(room - rows.gaps * name, down - rows.gaps * kSubtileGap);
    if (edge >= kReadable) {
      panel.edge = edge;
      rows = ranksOf(rowParts, name / edge);
      down = rows.length + kValueGap + 1;
    }
  }
  const double e = panel.edge;
  const QPointF corner(
      panel.area.left() + (panel.area.width() - across * e) / 2,
      panel.area.top() + words + std::max(0.0, (panel.area.height() - words - down * e) / 2));
  const QPointF grid = corner + QPointF((kValueWidth + kValueGap) * e, (1 + kValueGap) * e);
  const auto place = [&](std::int64_t row, std::int64_t column) {
    return QRectF(grid + QPointF(columns.at.at(column) * e, rows.at.at(row) * e), QSizeF(e, e));
  };

  std::uint32_t number = 0;
  for (const Region& s : subtiles) {
    QRectF whole;
    for (std::int64_t r = s.row; r < s.row + s.rows; ++r) {
      for (std::int64_t c = s.column; c < s.column + s.columns; ++c) {
        ThreadPanel::Cell cell{{Matrix::C, r, c}, {}, number};
        cell.rect = onItsWay(g.of(cell.element), place(r, c), panel.gathered);
        whole = whole.isNull() ? cell.rect : whole.united(cell.rect);
        if (product) {
          cell.done = std::ranges::find(product->done, cell.element) != product->done.end();
          cell.now = product->now && product->now->c == cell.element;
        }
        panel.cells.push_back(cell);
      }
    }
    panel.subtiles.push_back({whole, ++number});
  }
  if (!product) return panel;
  panel.hasProduct = true;
  panel.before = product->before;
  panel.done = product->done.size();
  panel.all = product->products;
  for (const auto& f : product->a) {
    const auto at = rows.at.find(f.element.row);
    if (at == rows.at.end()) continue;
    const QRectF there(corner.x(), grid.y() + at->second * e, kValueWidth * e, e);
    panel.a.push_back({f.element, onItsWay(g.of(f.element), there, panel.gathered), f.loaded,
                       product->now && product->now->a == f.element});
  }
  for (const auto& f : product->b) {
    const auto at = columns.at.find(f.element.column);
    if (at == columns.at.end()) continue;
    const QRectF there(grid.x() + at->second * e, corner.y(), e, e);
    panel.b.push_back({f.element, onItsWay(g.of(f.element), there, panel.gathered), f.loaded,
                       product->now && product->now->b == f.element});
  }
  return panel;
}

}  // namespace tileloom
