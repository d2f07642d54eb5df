// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/sheet.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <algorithm>
#include <cmath>

#include "kernels/base/text_file.h"
#include "viz/base/paint/figure_pdf.h"
#include "viz/base/paint/svg_canvas.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Sheet)
};

constexpr int kMostPixels = 32767;  // beyond, Qt's painter drops content

struct Line {
  QRectF rect;  // below the caption's top
  QString text;
  QFont font;
  int flags = 0;
  bool soft = false;
};

// Nothing is cut off: long lines wrap.
std::vector<Line> captionLines(const Caption& caption, double width, const QFont& base) {
  const Fonts fonts = Fonts::of(base);
  const double margin = QFontMetricsF(fonts.body).height() * 0.7;
  const double inner = std::max(1.0, width - 2 * margin);
  std::vector<Line> lines;
  double y = margin * 0.7;
  const auto add = [&](const QString& text, const QFont& font, bool soft) {
    if (text.isEmpty()) return;
    const int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    const double height =
        std::ceil(QFontMetricsF(font).boundingRect(QRectF(0, 0, inner, 1e6), flags, text).height());
    lines.push_back({QRectF(margin, y, inner, height), text, font, flags, soft});
    y += height + margin * 0.25;
  };
  add(caption.title, fonts.title, false);
  add(caption.shown, fonts.body, false);
  if (caption.origin.isEmpty() && caption.program.isEmpty()) return lines;
  const QFontMetricsF small(fonts.small);
  if (small.horizontalAdvance(caption.origin + caption.program) + margin <= inner) {
    const QRectF line(margin, y, inner, std::ceil(small.height()));
    lines.push_back({line, caption.origin, fonts.small, Qt::AlignLeft | Qt::AlignTop, true});
    lines.push_back({line, caption.program, fonts.small, Qt::AlignRight | Qt::AlignTop, true});
  } else {
    add(caption.origin, fonts.small, true);
    add(caption.program, fonts.small, true);
  }
  return lines;
}

void paintCaption(QPainter& p, const Sheet& sheet) {
  const QSizeF whole = wholeSize(sheet);
  const double top = sheet.size.height();
  p.fillRect(QRectF(0, top, whole.width(), whole.height() - top), sheet.theme.panel);
  p.setPen(hairline(sheet.theme.line));
  p.drawLine(QPointF(0, top + 0.5), QPointF(whole.width(), top + 0.5));
  for (const Line& line : captionLines(*sheet.caption, whole.width(), sheet.font)) {
    p.setFont(line.font);
    p.setPen(line.soft ? sheet.theme.soft : sheet.theme.text);
    p.drawText(line.rect.translated(0, top), line.flags, line.text);
  }
}

QByteArray encode(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  constexpr int kQuality = 80;  // of lossless packing: a third faster, 7 % larger than the default
  image.save(&buffer, "PNG", kQuality);
  return bytes;
}

QByteArray svg(const Sheet& sheet, const SheetContent& content) {
  const QString shown = sheet.caption ? sheet.caption->shown : QString();
  SvgCanvas canvas({wholeSize(sheet), sheet.title, shown, sheet.theme, sheet.text});
  QCPPainter p(&canvas);
  p.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
  p.fillRect(QRectF(QPointF(), wholeSize(sheet)), sheet.theme.ground);
  paintSheet(p, sheet, content);
  p.end();
  return canvas.document();
}

QByteArray pdf(const Sheet& sheet, const SheetContent& content) {
  FigurePdf file(sheet.title, sheet.theme);
  constexpr double kPointsPerPixel = 0.75;  // 96 pixels an inch
  file.writer().setPageSize(
      QPageSize(wholeSize(sheet) * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
  file.writer().setPageMargins(QMarginsF(0, 0, 0, 0));
  QCPPainter p(&file.writer());
  p.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
  FigurePdf::keepPixels(p);
  p.fillRect(QRectF(QPointF(), wholeSize(sheet)), sheet.theme.ground);
  paintSheet(p, sheet, content);
  p.end();
  return file.bytes();
}

QString suffixOf(const QString& file) {
  return QFileInfo(file).suffix().toLower();
}

}  // namespace

double captionHeight(const Caption& caption, double width, const QFont& font) {
  const auto lines = captionLines(caption, width, font);
  const double margin = QFontMetricsF(font).height() * 0.7;
  return lines.empty() ? 0 : std::ceil(lines.back().rect.bottom() + margin * 0.6);
}

QSizeF wholeSize(const Sheet& sheet) {
  const double band = sheet.caption
                          ? std::max(sheet.captionRoom,
                                     captionHeight(*sheet.caption, sheet.size.width(), sheet.font))
                          : 0;
  return {sheet.size.width(), sheet.size.height() + band};
}

QPainter& painterOf(QCPPainter& painter) {
  return painter;
}

void paintSheet(QCPPainter& painter, const Sheet& sheet, const SheetContent& content) {
  painter.save();
  if (sheet.caption) painter.setClipRect(QRectF(QPointF(0, 0), sheet.size));
  content(painter);
  painter.restore();
  if (sheet.caption) paintCaption(painter, sheet);
}

QImage sheetImage(const Sheet& sheet, const SheetContent& content) {
  const QSize pixels = (wholeSize(sheet) * sheet.scale).toSize();
  if (pixels.width() > kMostPixels || pixels.height() > kMostPixels) return {};
  QImage image(pixels, QImage::Format_RGB32);
  if (image.isNull()) return image;
  image.fill(sheet.theme.ground);
  image.setDevicePixelRatio(sheet.scale);
  QCPPainter p(&image);
  p.setMode(QCPPainter::pmNoCaching);  // cached labels have the screen's resolution
  paintSheet(p, sheet, content);
  p.end();
  return image;
}

bool isPictureName(const QString& file) {
  const QString suffix = suffixOf(file);
  return suffix == QLatin1String("png") || suffix == QLatin1String("svg") ||
         suffix == QLatin1String("pdf");
}

QString writeBytes(const QByteArray& bytes, const QString& file) {
  const auto written =
      replaceText(fileNamed(file), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  if (!written) return QString::fromStdString(written.error());
  return {};
}

QString writeImage(const QImage& image, const QString& file) {
  if (image.isNull())
    return Words::tr("a picture that large cannot be painted: choose a smaller size or scale");
  return writeBytes(encode(image), file);
}

QString writeSheet(const Sheet& sheet, const SheetContent& content, const QString& file) {
  const QString suffix = suffixOf(file);
  if (suffix == QLatin1String("png")) return writeImage(sheetImage(sheet, content), file);
  if (suffix == QLatin1String("svg")) return writeBytes(svg(sheet, content), file);
  if (suffix == QLatin1String("pdf")) return writeBytes(pdf(sheet, content), file);
  return Words::tr("\"%1\" has no known file type: end it in .png, .svg or .pdf")
      .arg(shownFile(file));
}

}  // namespace tileloom
