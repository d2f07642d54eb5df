// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/panels/instruction_panel.h"

#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/tile/placement.h"
#include "viz/loom/panels/group_panel.h"

namespace tileloom {
namespace {

using analysis::Element;
using analysis::Matrix;
using analysis::Region;
using analysis::WarpProduct;

constexpr double kGap = 0.8;     // between the operands, in heights of a cell
constexpr double kLargest = 44;  // pixels of a cell's height
constexpr double kWidest = 2.4;  // of a cell, in heights

}  // namespace

ThreadPanel instructionPanel(const Scene& scene, const LoomGeometry& g, const WarpProduct& product,
                             double label) {
  ThreadPanel panel;
  panel.ofWarp = true;
  panel.thread = scene.shownThread();
  panel.gathered = g.nearness();
  if (panel.gathered <= 0.01 || product.c.empty()) return panel;
  const Region &a = product.tileA, &b = product.tileB, &c = product.tileC;

  // Right of the slab of A and below that of B, with a line of words above and one below.
  const QRectF view = g.viewport();
  panel.area = QRectF(QPointF(std::min(g.slabA().right(), view.center().x()) + label,
                              std::min(g.slabB().bottom(), view.center().y()) + 0.6 * label),
                      view.bottomRight() - QPointF(label, 1.2 * label));
  panel.worded = panel.area.height() > 9 * label;
  const double words = panel.worded ? 2.2 * label : 0;
  const auto down = static_cast<double>(b.rows + c.rows) + kGap;
  const auto across = static_cast<double>(a.columns + c.columns);
  const double high = std::clamp((panel.area.height() - words) / down, 1.0, kLargest);
  const double wide = std::clamp((panel.area.width() - kGap * high) / across, 1.0, kWidest * high);
  panel.edge = std::min(high, wide);
  const QSizeF cell(wide, high);
  const QPointF corner(panel.area.center().x() - (across * wide + kGap * high) / 2,
                       panel.area.top() + words);
  const QPointF sums = corner + QPointF(static_cast<double>(a.columns) * wide + kGap * high,
                                        (static_cast<double>(b.rows) + kGap) * high);
  const auto place = [&](const QPointF& origin, const Region& tile, const Element& e) {
    const QRectF there(origin + QPointF(static_cast<double>(e.column - tile.column) * wide,
                                        static_cast<double>(e.row - tile.row) * high),
                       cell);
    return onItsWay(g.of(e), there, panel.gathered);
  };
  const bool now = product.when == WarpProduct::When::Now;
  for (const WarpProduct::Part& p : product.a) {
    panel.a.push_back(
        {p.element, place(QPointF(corner.x(), sums.y()), a, p.element), true, now, p.lane});
  }
  for (const WarpProduct::Part& p : product.b) {
    panel.b.push_back(
        {p.element, place(QPointF(sums.x(), corner.y()), b, p.element), true, now, p.lane});
  }
  for (const WarpProduct::Part& p : product.c) {
    ThreadPanel::Cell& sum = panel.cells.emplace_back();
    sum.element = p.element;
    sum.rect = place(sums, c, p.element);
    sum.now = now;
    sum.done = product.when != WarpProduct::When::Later;
    sum.lane = p.lane;
  }
  panel.hasProduct = true;
  panel.done = now ? product.number : 0;
  panel.all = product.count;
  return panel;
}

ThreadPanel loomPanel(const Scene& scene, const LoomGeometry& geometry,
                      const LoomContents& contents, double label) {
  if (contents.groupProduct) return groupPanel(scene, geometry, contents.groupProduct, label);
  if (contents.warpProduct) return instructionPanel(scene, geometry, *contents.warpProduct, label);
  return threadPanel(scene, geometry, contents.product, label);
}

namespace {

struct Place {
  Element element;
  QRectF rect;
};

std::vector<Place> placesOf(const ThreadPanel& panel) {
  std::vector<Place> places;
  for (const auto& v : panel.a) places.push_back({v.element, v.rect});
  for (const auto& v : panel.b) places.push_back({v.element, v.rect});
  for (const auto& c : panel.cells) places.push_back({c.element, c.rect});
  return places;
}

// The nearest place in that direction in the same row or column of the panel.
const Place* neighbour(const std::vector<Place>& places, const QRectF& from, CursorMove move) {
  const bool across = move == CursorMove::Left || move == CursorMove::Right;
  const double sign = move == CursorMove::Left || move == CursorMove::Up ? -1 : 1;
  const Place* best = nullptr;
  double nearest = 0;
  for (const Place& p : places) {
    const QPointF way = p.rect.center() - from.center();
    const double along = sign * (across ? way.x() : way.y());
    const double aside = std::abs(across ? way.y() : way.x());
    if (along < 1e-6 || aside > 0.5 * (across ? from.height() : from.width())) continue;
    if (best != nullptr && along >= nearest) continue;
    best = &p;
    nearest = along;
  }
  return best;
}

}  // namespace

std::optional<Element> moveInOperands(const ThreadPanel& panel, const Element& from,
                                      CursorMove move, int count) {
  const std::vector<Place> places = placesOf(panel);
  if (places.empty()) return std::nullopt;
  const auto start = panel.placeOf(from);
  if (!start) return panel.cells.front().element;
  if (move == CursorMove::Next || move == CursorMove::Previous) {
    const int step = move == CursorMove::Next ? 1 : 2;
    const auto matrix = static_cast<Matrix>((static_cast<int>(from.matrix) + step) % 3);
    const auto found = std::ranges::find_if(
        places, [matrix](const Place& p) { return p.element.matrix == matrix; });
    return found == places.end() ? from : found->element;
  }
  const bool toEnd = move == CursorMove::RowStart || move == CursorMove::RowEnd;
  const CursorMove way = move == CursorMove::RowStart ? CursorMove::Left
                         : move == CursorMove::RowEnd ? CursorMove::Right
                                                      : move;
  Place at{from, *start};
  for (int i = 0; toEnd || i < count; ++i) {
    const Place* next = neighbour(places, at.rect, way);
    // Only a single step crosses the edge of a matrix.
    if (next == nullptr) break;
    if (next->element.matrix != at.element.matrix && (toEnd || i > 0)) break;
    at = *next;
  }
  return at.element;
}

}  // namespace tileloom
