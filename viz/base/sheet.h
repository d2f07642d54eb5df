// SPDX-License-Identifier: GPL-3.0-or-later
// A page with one picture and, below it, a band of words that say what it shows: as PNG, SVG or
// PDF, by the file's suffix. Every view is exported through here.
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

// A picture that leaves its window still says what it is of.
struct Caption {
  QString title;    // rung, tile, size
  QString shown;    // what of it: "warp 2, line 61: 128-bit shared load of As, …"
  QString origin;   // the device
  QString program;  // with version and date
};

struct Sheet {
  QSizeF size;       // of the picture without its caption, in pixels at scale 1
  double scale = 1;  // pixels of a PNG for each of these
  Theme theme;
  QFont font;
  std::optional<Caption> caption;
  QString title = QStringLiteral("Tileloom");  // of the document
  double captionRoom = 0;                      // the caption takes this at least
  bool text = false;                           // words of an SVG are text, see SvgSetup
};

// Paints the picture into (0, 0, size). Charts need QCustomPlot's painter; all others take it for
// the QPainter that it is.
// The same painter, for content that knows nothing of charts (and need not include their library).
QPainter& painterOf(QCPPainter& painter);

using SheetContent = std::function<void(QCPPainter& painter)>;

// Pixels that the caption takes below a picture of this width.
double captionHeight(const Caption& caption, double width, const QFont& font);
// The picture and its caption.
QSizeF wholeSize(const Sheet& sheet);

// For a device of wholeSize() logical pixels.
void paintSheet(QCPPainter& painter, const Sheet& sheet, const SheetContent& content);
QImage sheetImage(const Sheet& sheet, const SheetContent& content);

// Empty, or one sentence on why the file was not written; then what was there before is untouched.
QString writeSheet(const Sheet& sheet, const SheetContent& content, const QString& file);
QString writeImage(const QImage& image, const QString& file);  // as PNG
QString writeBytes(const QByteArray& bytes, const QString& file);

// Whether writeSheet() knows what to write, in any case of letters.
bool isPictureName(const QString& file);

}  // namespace tileloom
