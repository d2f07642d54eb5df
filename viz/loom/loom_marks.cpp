// SPDX-License-Identifier: GPL-3.0-or-later
// The places in the loom that a lecture can point at.
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/tile/placement.h"
#include "viz/loom/loom_view.h"
#include "viz/loom/panels/thread_panel.h"

namespace tileloom {
namespace {

// An element of A or B where the whole matrix is shown, and not the slab of a K tile.
QRectF inMatrix(const LoomGeometry& geometry, const Problem& problem,
                const analysis::Element& element) {
  if (element.matrix == analysis::Matrix::C || geometry.detail() > 0.5) return {};
  const bool a = element.matrix == analysis::Matrix::A;
  const QRectF whole = a ? geometry.a() : geometry.b();
  const double rows = a ? problem.m : problem.k, columns = a ? problem.k : problem.n;
  const double wide = whole.width() / columns, high = whole.height() / rows;
  return {whole.left() + static_cast<double>(element.column) * wide,
          whole.top() + static_cast<double>(element.row) * high, wide, high};
}

// The inverse.
std::optional<analysis::Element> elementInMatrix(const LoomGeometry& geometry,
                                                 const Problem& problem, const QPointF& pixel) {
  using analysis::Matrix;
  if (geometry.detail() > 0.5) return std::nullopt;
  for (const Matrix matrix : {Matrix::B, Matrix::A}) {
    const bool a = matrix == Matrix::A;
    const QRectF whole = a ? geometry.a() : geometry.b();
    if (!whole.contains(pixel)) continue;
    const std::int64_t rows = a ? problem.m : problem.k, columns = a ? problem.k : problem.n;
    const auto at = [](double share, std::int64_t count) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(count)),
                                      0, count - 1);
    };
    return analysis::Element{matrix, at((pixel.y() - whole.top()) / whole.height(), rows),
                             at((pixel.x() - whole.left()) / whole.width(), columns)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<QRectF> LoomView::placeOf(const MarkTarget& target) const {
  using Thing = MarkTarget::Thing;
  if (!m_scene.ready()) return std::nullopt;
  const analysis::BlockMap& map = m_scene.recording->map;
  // Among whole matrices a warp's tile is a few pixels, and the block's tile hides it.
  const auto tooFar = [this] { return m_geometry.detail() < 0.5; };
  const ThreadPanel close = panel();
  QRectF place;
  // The panel of a thread or an instruction covers C.
  if (close.shown()) {
    if (target.thing == Thing::Element)
      place = close.placeOf(target.element).value_or(QRectF());
    else if (target.thing == Thing::Lane && !close.ofWarp &&
             close.thread == m_scene.moment.warp * emulator::kWarpSize + target.number)
      place = close.area;
    return place.isEmpty() ? std::nullopt : std::optional(place);
  }
  switch (target.thing) {
    case Thing::Element:
      place = m_geometry.of(target.element);
      if (place.isEmpty()) place = inMatrix(m_geometry, m_input.problem, target.element);
      break;
    case Thing::Lane: {
      if (tooFar()) return std::nullopt;
      // The first of its thread tiles: a ring around all of them would enclose those of others.
      const std::uint32_t thread = m_scene.moment.warp * emulator::kWarpSize + target.number;
      if (thread >= map.subtiles.size() || map.subtiles[thread].empty()) return std::nullopt;
      place = m_geometry.ofC(map.subtiles[thread].front());
      break;
    }
    case Thing::Warp:
      if (tooFar()) return std::nullopt;
      if (target.number >= map.warps.size()) return std::nullopt;
      place = m_geometry.ofC(map.warps[target.number]);
      break;
    case Thing::Block:
      place = m_geometry.block();
      break;
    default:
      return std::nullopt;
  }
  const QRectF seen = place.intersected(m_frame.viewport);
  if (place.isEmpty() || seen.isEmpty()) return std::nullopt;
  return seen;
}

std::vector<MarkTarget> LoomView::targetsAt(const QPointF& pixel) const {
  using Thing = MarkTarget::Thing;
  std::vector<MarkTarget> targets;
  if (!m_scene.ready() || !m_frame.viewport.contains(pixel)) return targets;
  const analysis::BlockMap& map = m_scene.recording->map;
  const auto add = [&](Thing thing, std::uint32_t number = 0) -> MarkTarget& {
    MarkTarget& target = targets.emplace_back();
    target.thing = thing;
    target.number = number;
    target.page = "loom";
    return target;
  };
  if (const ThreadPanel close = panel(); close.shown()) {
    if (const auto element = close.elementAt(pixel)) add(Thing::Element).element = *element;
    if (!close.ofWarp && close.area.contains(pixel))
      add(Thing::Lane, close.thread % emulator::kWarpSize);
    std::erase_if(targets, [this](const MarkTarget& target) { return !placeOf(target); });
    return targets;
  }
  auto element = m_geometry.elementAt(pixel);
  if (!element) element = elementInMatrix(m_geometry, m_input.problem, pixel);
  if (element) add(Thing::Element).element = *element;
  if (m_geometry.block().contains(pixel)) {
    const std::uint32_t thread = element && element->matrix == analysis::Matrix::C
                                     ? map.ownerOf(element->row, element->column)
                                     : analysis::BlockMap::kNobody;
    if (thread != analysis::BlockMap::kNobody) {
      if (thread / emulator::kWarpSize == m_scene.moment.warp)
        add(Thing::Lane, thread % emulator::kWarpSize);
      add(Thing::Warp, thread / emulator::kWarpSize);
    }
    add(Thing::Block);
  }
  // A mark must be found again by a lecture step.
  std::erase_if(targets, [this](const MarkTarget& target) { return !placeOf(target); });
  return targets;
}

}  // namespace tileloom
