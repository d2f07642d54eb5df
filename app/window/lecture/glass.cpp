// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/glass.h"

#include "app/window/lecture/mark_places.h"
#include "app/window/window.h"
#include "kernels/tile/placement.h"
#include "viz/lecture/marks_layer.h"
#include "viz/loom/loom_view.h"

namespace tileloom {

MarksLayer* makeGlass(const Window& window, QWidget& stage) {
  auto* loom = window.view<LoomView>();
  // Ink that begins over the loom is kept in the loom's coordinates.
  enum InkSheet { Glass, Loom };
  return new MarksLayer(
      [&window, &stage](const MarkTarget& target) -> std::optional<QRectF> {
        const auto place = placeOf(window, target);
        if (!place) return std::nullopt;
        return place->translated(stage.mapFrom(&window.frame(), QPointF(0, 0)));
      },
      [loom, &stage](const QPointF& pixel) {
        const QPointF inside = loom->mapFrom(&stage, pixel);
        if (!loom->isVisible() || !QRectF(loom->rect()).contains(inside))
          return InkPoint{Glass, pixel};
        return InkPoint{Loom, loom->geometry().toWorld(inside)};
      },
      [loom, &stage](const InkPoint& point) {
        if (point.sheet == Glass) return point.at;
        return loom->mapTo(&stage, loom->geometry().toPixel(point.at));
      },
      [loom, &stage](int sheet) {
        if (sheet == Glass) return QRectF(stage.rect());
        return QRectF(loom->mapTo(&stage, QPoint()), loom->size());
      },
      &stage);
}

}  // namespace tileloom
