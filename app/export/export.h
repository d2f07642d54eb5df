// SPDX-License-Identifier: GPL-3.0-or-later
// A view as a PNG, SVG or PDF, painted by the same code as the window.
#pragma once

#include <QDate>
#include <QImage>
#include <QSizeF>
#include <QString>
#include <optional>

#include "viz/base/paint/sheet.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

// The facts of a caption that the scene does not have. The date is given, not read from the clock,
// so that the same picture can be made twice.
struct CaptionFacts {
  QString device;
  QDate date;  // UTC
};

Caption captionOf(const Scene& scene, const CaptionFacts& facts);

// "warptiled-loom-BM128-BN128": a name without a suffix that says what is in the file.
QString proposedName(const Stage& stage, const TileShape& tile, const QString& view);

struct Picture;
// Paints a scene that has a recording into (0, 0, picture.size), on the ground of the theme.
using ScenePainter = void (*)(QPainter& painter, const Picture& picture, const Scene& scene);

struct Picture {
  ScenePainter paint = nullptr;  // without one the ground alone is painted
  QSizeF size{1200, 900};        // in pixels at scale 1, without the caption
  double scale = 1.0;            // pixels of the PNG for each of these
  Theme theme;
  QFont font;
  LoomLevel zoom = LoomLevel::Block;                // of the loom
  std::optional<LoomCamera> camera = std::nullopt;  // of the loom; std::nullopt: as the zoom says
  std::optional<Caption> caption = std::nullopt;
  bool text = false;  // words of an SVG are text, see SvgSetup
};

// The same view of the loom in a picture of another size.
LoomCamera resized(LoomCamera camera, const QSizeF& from, const QSizeF& to);

// Paints onto `painter`, whose device has picture.size logical pixels, without the caption.
void paintPicture(QPainter& painter, const Picture& picture, const Scene& scene);
Sheet sheetOf(const Picture& picture);

// Empty, or why the file could not be written: an unknown suffix, a missing folder, …
QString writePicture(const Picture& picture, const Scene& scene, const QString& file);

}  // namespace tileloom
