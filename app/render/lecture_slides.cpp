// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_slides.h"

#include <QPainter>
#include <QPdfWriter>

#include "viz/base/paint/figure_pdf.h"
#include "viz/base/paint/sheet.h"

namespace tileloom::lecture {
namespace {

constexpr double kWidth = 960;  // points, as other programs' slides: 13 1/3 inches
constexpr double kPointsPerInch = 72;

}  // namespace

QString writeSlides(const ExportSteps& all, const QString& file) {
  FigurePdf pdf(QString::fromStdString(all.lecture.title), all.stage.theme());
  {
    const QSizeF window = all.stage.size();
    QPdfWriter& writer = pdf.writer();
    const QSizeF page(kWidth, kWidth * window.height() / window.width());
    writer.setPageSize(QPageSize(page, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QPainter painter(&writer);
    FigurePdf::keepPixels(painter);
    const double scale = kWidth * FigurePdf::kDotsPerInch / kPointsPerInch / window.width();
    const QString wrong = all.each([&](std::size_t step, std::size_t place) {
      if (place > 0) writer.newPage();
      painter.save();
      painter.scale(scale, scale);
      all.stage.paint(step, painter);
      painter.restore();
    });
    if (!wrong.isEmpty()) return wrong;
  }
  return writeBytes(pdf.bytes(), file);
}

}  // namespace tileloom::lecture
