// SPDX-License-Identifier: GPL-3.0-or-later
// A view as a PNG, SVG or PDF, painted by the same code as the window.
#pragma once

#include <QImage>
#include <QSizeF>
#include <QString>

#include "viz/scene.h"
#include "viz/theme.h"

namespace tileloom {

struct Picture {
  enum class View { Loom, Banks };
  View view = View::Loom;
  QSizeF size{1200, 900};  // in pixels at scale 1
  double scale = 1.0;      // pixels of the PNG for each of these
  Theme theme;
  QFont font;
  bool wholeGrid = false;  // the loom zoomed out
};

// Paints onto `painter`, whose device has picture.size logical pixels.
void paintPicture(QPainter& painter, const Picture& picture, const Scene& scene);

// Empty, or why the file could not be written: an unknown suffix, a folder that is not there, …
QString writePicture(const Picture& picture, const Scene& scene, const QString& file);

// Writes `image` as PNG; empty, or why that failed.
QString writeImage(const QImage& image, const QString& file);

}  // namespace tileloom
