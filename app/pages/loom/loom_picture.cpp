// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/loom/loom_picture.h"

#include "viz/loom/loom_input.h"
#include "viz/loom/loom_painter.h"

namespace tileloom {

void paintLoomPicture(QPainter& painter, const Picture& picture, const Scene& scene) {
  const Fonts fonts = Fonts::of(picture.font);
  const LoomFrame frame =
      LoomFrame::of(QRectF(QPointF(0, 0), picture.size), fonts, loomAspect(scene));
  const LoomContents contents = loomContents(scene);
  const LoomInput input = loomInput(scene, contents.slabs, frame.viewport, fonts);
  const LoomCamera camera = picture.camera.value_or(LoomGeometry::fit(input, picture.zoom));
  paintLoom(painter, frame, LoomGeometry(input, camera), scene, contents, picture.theme, fonts);
}

}  // namespace tileloom
