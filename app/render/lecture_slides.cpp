// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_slides.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

#include "viz/base/sheet.h"

namespace tileloom::lecture {
namespace {

constexpr double kWidth = 960;  // points, as other programs' slides: 13 1/3 inches
constexpr int kDotsPerInch = 96;
constexpr double kPointsPerInch = 72;

}  // namespace

QString writeSlides(const ExportSteps& all, const QString& file) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    const QSizeF window = all.stage.size();
    QPdfWriter writer(&buffer);
    writer.setTitle(QString::fromStdString(all.lecture.title));
    writer.setCreator(QStringLiteral("Tileloom"));
    const QSizeF page(kWidth, kWidth * window.height() / window.width());
    writer.setPageSize(QPageSize(page, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(kDotsPerInch);
    QPainter painter(&writer);
    const double scale = kWidth * kDotsPerInch / kPointsPerInch / window.width();
    const QString wrong = all.each([&](std::size_t step, std::size_t place) {
      if (place > 0) writer.newPage();
      painter.save();
      painter.scale(scale, scale);
      all.stage.paint(step, painter);
      painter.restore();
    });
    if (!wrong.isEmpty()) return wrong;
  }
  return writeBytes(bytes, file);
}

}  // namespace tileloom::lecture
