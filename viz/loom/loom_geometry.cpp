// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_geometry.h"

#include <algorithm>
#include <cmath>

namespace tileloom {
namespace {

using analysis::Element;
using analysis::Matrix;
using analysis::Region;

constexpr double kGapShare = 0.05;    // between slab and block tile, of the tile's edge
constexpr double kMostOfBlock = 0.4;  // slabs never take more of the tile's edge than this,
constexpr double kMostOfView = 0.19;  // nor more of the viewport
constexpr double kAheadShare = 0.42;  // what is ahead, of the thickness of what is multiplied
constexpr double kAheadGap = 0.1;     // between slabs, of the same
constexpr double kMatrixGap = 0.06;   // between whole matrices, of the larger edge
// 16 elements of K get about a sixth of the tile's edge. K is stretched so that each k is visible,
// but evenly: twice the BK is twice the slab.
constexpr double kStretchedEdge = 16.0 * 6.0;

double matrixGap(const LoomInput& in) {
  return kMatrixGap * std::max({in.problem.m, in.problem.n, in.problem.k});
}

const Region& tileOfC(const LoomInput& in) {
  return in.filled.empty() ? in.block : in.filled;
}

// Thickness of all slabs together, in that of the one that is multiplied.
double slabsInFirst(int slabs) {
  return 1.0 + (slabs - 1) * (kAheadShare + kAheadGap);
}

// Thickness of all slabs in elements of C, for A and B alike.
double slabThickness(const LoomInput& in, std::int64_t k) {
  const auto edge = static_cast<double>(std::max(tileOfC(in).rows, tileOfC(in).columns));
  const double stretch = std::max(1.0, edge / kStretchedEdge);
  return std::min(static_cast<double>(k) * stretch * slabsInFirst(in.slabs), kMostOfBlock * edge);
}

double slabGap(const LoomInput& in) {
  return kGapShare * static_cast<double>(std::max(tileOfC(in).rows, tileOfC(in).columns));
}

LoomCamera fitRect(const QRectF& world, const QRectF& viewport, double label) {
  const double width = std::max(1.0, viewport.width() - 2.2 * label);
  const double height = std::max(1.0, viewport.height() - 2.2 * label);
  LoomCamera camera;
  camera.scale = std::min(width / world.width(), height / world.height());
  camera.centre = world.center();
  return camera;
}

QRectF scaledPart(const QRectF& slab, const Region& whole, const Region& part) {
  if (whole.empty()) return {};
  const double x = slab.width() / static_cast<double>(whole.columns);
  const double y = slab.height() / static_cast<double>(whole.rows);
  return {slab.left() + static_cast<double>(part.column - whole.column) * x,
          slab.top() + static_cast<double>(part.row - whole.row) * y,
          static_cast<double>(part.columns) * x, static_cast<double>(part.rows) * y};
}

QRectF blend(const QRectF& from, const QRectF& to, double t) {
  return {from.topLeft() + (to.topLeft() - from.topLeft()) * t,
          from.bottomRight() + (to.bottomRight() - from.bottomRight()) * t};
}

}  // namespace

LoomCamera LoomGeometry::fitGrid(const LoomInput& in) {
  const double gap = matrixGap(in);
  const double k = in.problem.k + gap;
  return fitRect({-k, -k, k + in.problem.n, k + in.problem.m}, in.viewport, in.label);
}

LoomCamera LoomGeometry::fitBlock(const LoomInput& in) {
  const double left = slabThickness(in, in.tileA.columns) + slabGap(in);
  const double top = slabThickness(in, in.tileB.rows) + slabGap(in);
  const Region& c = tileOfC(in);
  return fitRect({static_cast<double>(c.column) - left, static_cast<double>(c.row) - top,
                  static_cast<double>(c.columns) + left, static_cast<double>(c.rows) + top},
                 in.viewport, in.label);
}

LoomCamera LoomGeometry::fitRegion(const LoomInput& in, const Region& c) {
  // Slabs take their share of the view from the left and from the top.
  QRectF view = in.viewport;
  const double left = kMostOfView * view.width() + in.label;
  const double top = kMostOfView * view.height() + in.label;
  const QRectF inner = view.adjusted(left, top, 0, 0);
  LoomCamera camera = fitRect({static_cast<double>(c.column), static_cast<double>(c.row),
                               static_cast<double>(c.columns), static_cast<double>(c.rows)},
                              inner, in.label);
  camera.centre -= (inner.center() - view.center()) / camera.scale;
  return camera;
}

LoomCamera LoomGeometry::fit(const LoomInput& in, LoomLevel level) {
  if (level == LoomLevel::Grid) return fitGrid(in);
  const Region& part = level == LoomLevel::Warp ? in.warp : in.near;
  return level == LoomLevel::Block || part.empty() ? fitBlock(in) : fitRegion(in, part);
}

namespace {

// Progress of the scale from one camera's to another's, 0 to 1, with soft ends.
double progress(double from, double to, double scale) {
  const double t = std::log(to) - std::log(from) < 0.05
                       ? (scale >= to ? 1.0 : 0.0)
                       : (std::log(scale) - std::log(from)) / (std::log(to) - std::log(from));
  const double clamped = std::clamp(t, 0.0, 1.0);
  return clamped * clamped * (3.0 - 2.0 * clamped);
}

}  // namespace

LoomGeometry::LoomGeometry(const LoomInput& input, const LoomCamera& camera)
    : input_(input), camera_(camera) {
  const double gap = matrixGap(input);
  const double m = input.problem.m, n = input.problem.n, k = input.problem.k;
  const auto rect = [&](double x, double y, double w, double h) {
    return QRectF(toPixel({x, y}), toPixel({x + w, y + h}));
  };
  a_ = rect(-gap - k, 0, k, m);
  b_ = rect(0, -gap - k, n, k);
  c_ = rect(0, 0, n, m);

  // A grid of one block never counts as zoomed out.
  const double whole = fitGrid(input).scale, block = fitBlock(input).scale;
  detail_ = block < 1.05 * whole ? 1.0 : progress(whole, block, camera.scale);
  level_ = detail_ < 0.5 ? LoomLevel::Grid : LoomLevel::Block;
  if (!input.near.empty() && !input.warp.empty()) {
    // The last third of the zoom, so that the neighbours are seen first.
    const double warp = std::max(block, fitRegion(input, input.warp).scale);
    const double near = fitRegion(input, input.near).scale;
    nearness_ = progress(std::pow(warp, 0.45) * std::pow(near, 0.55), near, camera.scale);
    if (nearness_ > 0.5) {
      level_ = LoomLevel::Thread;
    } else if (warp > 1.02 * block && camera.scale > std::sqrt(warp * block)) {
      level_ = LoomLevel::Warp;
    }
  }

  const QRectF view = input.viewport;
  const QRectF tile = ofC(input.block);
  const double thickA = std::min(slabThickness(input, input.tileA.columns) * camera.scale,
                                 kMostOfView * view.width());
  const double thickB =
      std::min(slabThickness(input, input.tileB.rows) * camera.scale, kMostOfView * view.height());
  const double space = slabGap(input) * camera.scale;
  // Docked to the block tile, but never out of sight.
  const double right = std::max(tile.left() - space, view.left() + input.label + thickA);
  const double bottom = std::max(tile.top() - space, view.top() + input.label + thickB);
  const double first = 1.0 / slabsInFirst(input.slabs);  // its share of all slabs
  slabsA_.clear();
  slabsB_.clear();
  for (int ahead = 0; ahead < std::max(1, input.slabs); ++ahead) {
    const double share = ahead == 0 ? first : kAheadShare * first;
    const double before =
        ahead == 0 ? 0 : first * (1.0 + (ahead - 1) * kAheadShare + ahead * kAheadGap);
    const Region tileA = tileOf(Matrix::A, ahead), tileB = tileOf(Matrix::B, ahead);
    const QRectF trueA(a_.left() + static_cast<double>(tileA.column) * camera.scale,
                       a_.top() + static_cast<double>(tileA.row) * camera.scale,
                       static_cast<double>(tileA.columns) * camera.scale,
                       static_cast<double>(tileA.rows) * camera.scale);
    const QRectF trueB(b_.left() + static_cast<double>(tileB.column) * camera.scale,
                       b_.top() + static_cast<double>(tileB.row) * camera.scale,
                       static_cast<double>(tileB.columns) * camera.scale,
                       static_cast<double>(tileB.rows) * camera.scale);
    slabsA_.push_back(blend(
        trueA, {right - (before + share) * thickA, trueA.top(), share * thickA, trueA.height()},
        detail_));
    slabsB_.push_back(blend(
        trueB, {trueB.left(), bottom - (before + share) * thickB, trueB.width(), share * thickB},
        detail_));
  }
}

Region LoomGeometry::tileOf(Matrix matrix, int ahead) const {
  Region tile = matrix == Matrix::A ? input_.tileA : input_.tileB;
  if (matrix == Matrix::A) {
    tile.column += ahead * tile.columns;
  } else {
    tile.row += ahead * tile.rows;
  }
  return tile;
}

QRectF LoomGeometry::ofC(const Region& r) const {
  return {toPixel({static_cast<double>(r.column), static_cast<double>(r.row)}),
          QSizeF(static_cast<double>(r.columns) * camera_.scale,
                 static_cast<double>(r.rows) * camera_.scale)};
}

std::optional<int> LoomGeometry::slabOf(const Element& e) const {
  for (int ahead = 0; e.matrix != Matrix::C && ahead < slabs(); ++ahead) {
    if (tileOf(e.matrix, ahead).contains(e.row, e.column)) return ahead;
  }
  return std::nullopt;
}

QRectF LoomGeometry::inSlabA(const Region& r) const {
  const auto ahead = slabOf({Matrix::A, r.row, r.column});
  return ahead ? scaledPart(slabA(*ahead), tileOf(Matrix::A, *ahead), r) : QRectF();
}
QRectF LoomGeometry::inSlabB(const Region& r) const {
  const auto ahead = slabOf({Matrix::B, r.row, r.column});
  return ahead ? scaledPart(slabB(*ahead), tileOf(Matrix::B, *ahead), r) : QRectF();
}

QRectF LoomGeometry::around(Matrix matrix, int ahead, const Region& part) const {
  const QRectF slab = matrix == Matrix::A ? slabA(ahead) : slabB(ahead);
  return scaledPart(slab, tileOf(matrix, ahead), part);
}

QRectF LoomGeometry::of(const Element& e) const {
  const Region cell{e.row, e.column, 1, 1};
  switch (e.matrix) {
    case Matrix::A:
      return inSlabA(cell);
    case Matrix::B:
      return inSlabB(cell);
    case Matrix::C:
      return ofC(cell);
  }
  return {};
}

std::optional<Element> LoomGeometry::elementAt(const QPointF& p) const {
  bool covered = false;
  const auto within = [&](const QRectF& slab, const Region& tile,
                          Matrix m) -> std::optional<Element> {
    if (tile.empty() || !slab.contains(p)) return std::nullopt;
    const auto row = static_cast<std::int64_t>((p.y() - slab.top()) / slab.height() *
                                               static_cast<double>(tile.rows));
    const auto column = static_cast<std::int64_t>((p.x() - slab.left()) / slab.width() *
                                                  static_cast<double>(tile.columns));
    const Element e{m, tile.row + std::clamp<std::int64_t>(row, 0, tile.rows - 1),
                    tile.column + std::clamp<std::int64_t>(column, 0, tile.columns - 1)};
    // Zeros from outside the matrix are not elements, and cover what is below them.
    const bool inside = m == Matrix::A ? e.row < input_.problem.m && e.column < input_.problem.k
                                       : e.row < input_.problem.k && e.column < input_.problem.n;
    covered |= !inside;
    return inside ? std::optional(e) : std::nullopt;
  };
  // Where the slabs cross, B is painted over A.
  for (const Matrix m : {Matrix::B, Matrix::A}) {
    for (int ahead = 0; ahead < slabs(); ++ahead) {
      const QRectF& slab = m == Matrix::A ? slabsA_[static_cast<std::size_t>(ahead)]
                                          : slabsB_[static_cast<std::size_t>(ahead)];
      if (const auto found = within(slab, tileOf(m, ahead), m)) return found;
    }
  }
  if (covered || !c_.contains(p)) return std::nullopt;
  const QPointF world = toWorld(p);
  return Element{
      Matrix::C,
      std::clamp<std::int64_t>(static_cast<std::int64_t>(world.y()), 0, input_.problem.m - 1),
      std::clamp<std::int64_t>(static_cast<std::int64_t>(world.x()), 0, input_.problem.n - 1)};
}

QPointF LoomGeometry::toWorld(const QPointF& pixel) const {
  return camera_.centre + (pixel - input_.viewport.center()) / camera_.scale;
}

QPointF LoomGeometry::toPixel(const QPointF& world) const {
  return input_.viewport.center() + (world - camera_.centre) * camera_.scale;
}

}  // namespace tileloom
