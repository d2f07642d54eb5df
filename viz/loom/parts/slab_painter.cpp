// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/parts/slab_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <optional>

#include "kernels/analysis/recording.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/loom_boxes.h"
#include "viz/loom/slab_ends.h"
#include "viz/loom/slab_picture.h"

namespace tileloom {
namespace {

using analysis::Matrix;

bool hasSlab(const LoomPaint& loom, Matrix m, int ahead, const QRectF& rect) {
  return !loom.scene.tileOf(m, loom.scene.kTile()).empty() && !rect.isEmpty() &&
         loom.scene.shownTile() + static_cast<std::uint32_t>(ahead) < loom.recording().trace.kTiles;
}

// The K tile's number: below a slab of A, to the right of one of B. Returns its ink; std::nullopt:
// there is no room. `before`: the ink of the nearer K tile's number.
std::optional<QRectF> number(const LoomPaint& loom, Matrix m, int ahead, const QRectF& rect,
                             const std::optional<QRectF>& before) {
  // Rungs without shared memory have no K tiles.
  if (loom.g.detail() < 0.6 || !loom.recording().trace.features().sharedTiles) return std::nullopt;
  loom.p.setFont(ahead == 0 ? loom.f.body : loom.f.small);
  const QFontMetricsF metrics(loom.p.font());
  const QString name =
      QString::number(loom.scene.shownTile() + static_cast<std::uint32_t>(ahead) + 1);
  const double width = metrics.horizontalAdvance(name), height = metrics.height();
  const QRectF& view = loom.frame.viewport;
  QRectF place;
  if (m == Matrix::A) {
    if (width > rect.width() + 4) return std::nullopt;
    // Above the words that say how far the slab goes on.
    const bool cut = rect.bottom() > view.bottom() + 2;
    const double lowest = view.bottom() - height - (cut ? QFontMetricsF(loom.f.small).height() : 0);
    place =
        QRectF(rect.center().x() - width, std::min(rect.bottom() + 2, lowest), 2 * width, height);
    // The whole slab is seen, and there is no room below it.
    if (!cut && place.center().y() - metrics.capHeight() / 2 < rect.bottom() + 1)
      return std::nullopt;
  } else {
    if (height > rect.height() + 8) return std::nullopt;
    place = QRectF(std::min(rect.right() + 4, view.right() - width - 2),
                   rect.center().y() - height / 2, width + 2, height);
  }
  // Slabs are thinner than their numbers: only the nearer ones get one.
  QRectF ink(0, 0, width, metrics.capHeight());
  ink.moveCenter(place.center());
  if (before && before->adjusted(-1, -1, 1, 1).intersects(ink)) return std::nullopt;
  if (!view.contains(ink)) return std::nullopt;
  if (rect.intersects(ink)) loom.p.fillRect(place, Theme::faded(loom.t.ground, 0.75));
  loom.p.setPen(ahead == 0 ? loom.t.text : loom.t.soft);
  loom.p.drawText(place, Qt::AlignCenter, name);
  return ink;
}

}  // namespace

void paintLoomSlab(const LoomPaint& loom, Matrix m, int ahead) {
  const QRectF rect = m == Matrix::A ? loom.g.slabA(ahead) : loom.g.slabB(ahead);
  if (!hasSlab(loom, m, ahead, rect)) return;
  if (loom.g.detail() > 0.5) {
    // Where a slab covers C after zooming in, keep the two apart.
    loom.p.fillRect(rect.adjusted(-3, -3, 3, 3), loom.t.ground);
  }
  const QRectF inside = slabInside(loom.g, loom.scene, m, ahead);
  paintSlab(loom.p, loom.scene, *loom.contents.progress, loom.t, m, ahead, inside,
            loom.frame.viewport, loom.density());
  const auto* state =
      loom.contents.progress->tile(m, loom.scene.kTile() + static_cast<std::uint32_t>(ahead));
  const QColor hue = loom.t.matrix(m);
  loom.p.setPen(ahead == 0         ? hairline(hue, 1.5)
                : state == nullptr ? hairline(Theme::faded(hue, 0.45), 1.0, Qt::DotLine)
                                   : hairline(Theme::faded(hue, 0.8), 1.0));
  loom.p.setBrush(Qt::NoBrush);
  loom.p.drawRect(inside);
}

// The edge of the picture says what is beyond it.
void paintSlabsBeyond(const LoomPaint& loom) {
  if (loom.g.detail() < 0.9) return;
  const double numbers = QFontMetricsF(loom.f.body).horizontalAdvance(QStringLiteral("8888"));
  for (const Matrix m : {Matrix::A, Matrix::B}) {
    const QRectF slabs = slabInside(loom.g, loom.scene, m, 0) |
                         slabInside(loom.g, loom.scene, m, loom.g.slabs() - 1);
    paintSlabEnds(
        loom.p, m,
        slabEnds(m, slabs, loom.scene.tileOf(m, loom.scene.shownTile()), loom.frame.viewport),
        numbers, loom.t, loom.f);
  }
}

std::vector<QRectF> numberSlabs(const LoomPaint& loom) {
  std::vector<QRectF> inks;
  for (const Matrix m : {Matrix::A, Matrix::B}) {
    std::optional<QRectF> before;
    for (int ahead = 0; ahead < loom.g.slabs(); ++ahead) {
      const QRectF rect = m == Matrix::A ? loom.g.slabA(ahead) : loom.g.slabB(ahead);
      if (!hasSlab(loom, m, ahead, rect)) continue;
      const auto ink = number(loom, m, ahead, rect, before);
      if (!ink) continue;
      inks.push_back(*ink);
      before = ink;
    }
  }
  return inks;
}

}  // namespace tileloom
