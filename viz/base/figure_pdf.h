// SPDX-License-Identifier: GPL-3.0-or-later
// A PDF for papers: its pictures without loss, and words in its metadata on what is in it.
#pragma once

#include <QBuffer>
#include <QByteArray>
#include <QString>
#include <memory>

#include "viz/base/theme.h"

class QPainter;
class QPdfWriter;

namespace tileloom {

// A writer into memory, which the caller gives pages and paints on.
class FigurePdf {
 public:
  static constexpr int kDotsPerInch = 96;

  FigurePdf(const QString& title, const Theme& theme);
  ~FigurePdf();
  FigurePdf(const FigurePdf&) = delete;
  FigurePdf& operator=(const FigurePdf&) = delete;

  QPdfWriter& writer() { return *m_writer; }
  // To be called when the painter has begun: by default Qt keeps pictures as JPEG.
  static void keepPixels(QPainter& painter);
  // When the painter has ended. What is said of pictures is written into it here.
  QByteArray bytes();

 private:
  Theme m_theme;
  QByteArray m_bytes;
  QBuffer m_buffer;
  std::unique_ptr<QPdfWriter> m_writer;
};

}  // namespace tileloom
