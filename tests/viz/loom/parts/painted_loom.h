// SPDX-License-Identifier: GPL-3.0-or-later
// What a part of the loom's picture is painted on, from and with, at one instant.
#pragma once

#include <QImage>
#include <QPainter>

#include "tests/support/recorded.h"
#include "viz/loom/loom_input.h"
#include "viz/loom/parts/loom_paint.h"

namespace tileloom::test {

// Cannot be copied: `paint` refers to the other members.
struct PaintedLoom {
  PaintedLoom(const RecordingPointer& recording, std::uint32_t warp, std::uint32_t index,
              const QSizeF& size, LoomLevel level)
      : scene(makeScene(recording, warp, index)),
        contents(loomContents(scene)),
        frame(LoomFrame::of(QRectF({}, size), fonts, loomAspect(scene))),
        input(loomInput(scene, contents.slabs, frame.viewport, fonts)),
        geometry(input, LoomGeometry::fit(input, level)),
        image(size.toSize(), QImage::Format_RGB32),
        painter(&image) {
    image.fill(theme.ground);
  }
  PaintedLoom(const PaintedLoom&) = delete;
  PaintedLoom& operator=(const PaintedLoom&) = delete;

  const Fonts fonts = Fonts::of(QFont());
  const Theme theme = Theme::make(true);
  const Scene scene;
  const LoomContents contents;
  const LoomFrame frame;
  const LoomInput input;
  const LoomGeometry geometry;
  QImage image;
  QPainter painter;
  const LoomPaint paint{painter, frame, geometry, scene, contents, theme, fonts, laneRoom(fonts)};
};

}  // namespace tileloom::test
