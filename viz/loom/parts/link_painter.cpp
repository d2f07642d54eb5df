// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/link_painter.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernels/analysis/recording.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using analysis::Region;
using analysis::Touch;

}  // namespace

void paintBeams(const LoomPaint& loom) {
  if (loom.passingOver() || !loom.multiplies()) return;
  if (loom.g.detail() < 0.6 || loom.g.nearness() > 0.1) return;
  std::map<std::int64_t, double> rows, columns;  // how far each reaches, in pixels
  for (const Touch& touch : loom.scene.moment.touches) {
    if (touch.element.matrix != Matrix::C) continue;
    const QRectF cell = loom.g.of(touch.element);
    double& right = rows.try_emplace(touch.element.row, cell.right()).first->second;
    right = std::max(right, cell.right());
    double& bottom = columns.try_emplace(touch.element.column, cell.bottom()).first->second;
    bottom = std::max(bottom, cell.bottom());
  }
  constexpr std::size_t kMost = 32;
  if (rows.size() > kMost || columns.size() > kMost) return;
  loom.p.setPen(hairline(Theme::faded(loom.t.text, 0.55), 1.0));
  for (const auto& [row, right] : rows) {
    const double y = loom.g.ofC({row, 0, 1, 1}).center().y();
    loom.p.drawLine(QPointF(loom.g.slabA().right(), y), QPointF(right, y));
  }
  for (const auto& [column, bottom] : columns) {
    const double x = loom.g.ofC({0, column, 1, 1}).center().x();
    loom.p.drawLine(QPointF(x, loom.g.slabB().bottom()), QPointF(x, bottom));
  }
}

void paintGuides(const LoomPaint& loom) {
  if (loom.g.detail() < 0.6 || loom.g.nearness() > 0.1) return;
  if (loom.passingOver() || loom.multiplies() || loom.contents.warpProduct) return;
  const auto& subtiles = loom.recording().map.subtiles[loom.scene.shownThread()];
  loom.p.setPen(hairline(Theme::faded(loom.t.text, 0.75 * loom.g.detail()), 1.2, Qt::DotLine));
  std::set<std::int64_t> rows, columns;
  for (const Region& s : subtiles) {
    const QRectF r = loom.g.ofC(s);
    if (rows.insert(s.row).second && rows.size() <= 8) {
      loom.p.drawLine(QPointF(loom.g.slabA().right(), r.center().y()),
                      QPointF(r.left(), r.center().y()));
    }
    if (columns.insert(s.column).second && columns.size() <= 8) {
      loom.p.drawLine(QPointF(r.center().x(), loom.g.slabB().bottom()),
                      QPointF(r.center().x(), r.top()));
    }
  }
}

void paintSelection(const LoomPaint& loom) {
  const Selection& s = loom.scene.selection;
  if (!s.element) return;
  const QRectF cell = loom.g.of(*s.element);
  if (cell.isEmpty()) return;
  loom.p.setBrush(Qt::NoBrush);
  QRectF ring = cell;
  while (ring.width() < 7) ring.adjust(-1, 0, 1, 0);
  while (ring.height() < 7) ring.adjust(0, -1, 0, 1);
  const QRectF block = loom.g.block();
  loom.p.setPen(hairline(Theme::faded(loom.t.accent, 0.7), 1.0, Qt::DashLine));
  // An element of A contributes to a whole row of C, one of B to a whole column.
  if (s.element->matrix == Matrix::A) {
    loom.p.drawLine(QPointF(cell.right(), cell.center().y()),
                    QPointF(block.right(), cell.center().y()));
  } else if (s.element->matrix == Matrix::B) {
    loom.p.drawLine(QPointF(cell.center().x(), cell.bottom()),
                    QPointF(cell.center().x(), block.bottom()));
  }
  loom.p.setPen(hairline(loom.t.ground, 4.0));
  loom.p.drawRect(ring.adjusted(-1, -1, 1, 1));
  loom.p.setPen(hairline(loom.t.accent, 2.0));
  loom.p.drawRect(ring.adjusted(-1, -1, 1, 1));
}

}  // namespace tileloom
