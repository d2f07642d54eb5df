// SPDX-License-Identifier: GPL-3.0-or-later
// A PDF for papers: its images are lossless, and its metadata describes its content.
#pragma once

#include <QBuffer>
#include <QByteArray>
#include <QString>
#include <memory>

#include "viz/base/theme.h"

class QPainter;
class QPdfWriter;

namespace tileloom {

// Writes into memory. The caller adds pages and paints on them.
class FigurePdf {
 public:
  static constexpr int kDotsPerInch = 96;

  FigurePdf(const QString& title, const Theme& theme);
  ~FigurePdf();
  FigurePdf(const FigurePdf&) = delete;
  FigurePdf& operator=(const FigurePdf&) = delete;

  QPdfWriter& writer() { return *m_writer; }
  // Call it when the painter has begun: by default Qt stores images as JPEG.
  static void keepPixels(QPainter& painter);
  // Call it when the painter has ended. It writes the sentence on raster images into the metadata.
  QByteArray bytes();

 private:
  Theme m_theme;
  QByteArray m_bytes;
  QBuffer m_buffer;
  std::unique_ptr<QPdfWriter> m_writer;
};

}  // namespace tileloom
