// SPDX-License-Identifier: GPL-3.0-or-later
// A page with one picture and a caption below it, as PNG, SVG or PDF by the file's suffix. Every
// view is exported through here.
#pragma once

#include <QFont>
#include <QImage>
#include <QSizeF>
#include <QString>
#include <functional>
#include <optional>

#include "viz/base/theme.h"

class QCPPainter;
class QPainter;

namespace tileloom {

// An exported picture says what it shows.
struct Caption {
  QString title;    // rung, tile, size
  QString shown;    // which part: "warp 2, line 61: 128-bit shared load of As, …"
  QString origin;   // the device
  QString program;  // with version and date
};

struct Sheet {
  QSizeF size;       // of the picture without its caption, in pixels at scale 1
  double scale = 1;  // PNG pixels per pixel of `size`
  Theme theme;
  QFont font;
  std::optional<Caption> caption;
  QString title = QStringLiteral("Tileloom");  // of the document
  double captionRoom = 0;                      // minimum height of the caption
  bool text = false;                           // text of an SVG is text, see SvgSetup
};

// Paints the picture into (0, 0, size). Charts need QCustomPlot's painter; all others use it as a
// QPainter. The same painter, for content that does not include the chart library.
QPainter& painterOf(QCPPainter& painter);

using SheetContent = std::function<void(QCPPainter& painter)>;

// Height of the caption below a picture of this width, in pixels.
double captionHeight(const Caption& caption, double width, const QFont& font);
// The picture and its caption.
QSizeF wholeSize(const Sheet& sheet);

// For a device of wholeSize() logical pixels.
void paintSheet(QCPPainter& painter, const Sheet& sheet, const SheetContent& content);
QImage sheetImage(const Sheet& sheet, const SheetContent& content);

// Empty, or one sentence on why the file was not written; then an existing file is untouched.
QString writeSheet(const Sheet& sheet, const SheetContent& content, const QString& file);
QString writeImage(const QImage& image, const QString& file);  // as PNG
QString writeBytes(const QByteArray& bytes, const QString& file);

// Whether writeSheet() knows the suffix; case does not matter.
bool isPictureName(const QString& file);

}  // namespace tileloom
