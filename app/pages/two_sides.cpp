// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/two_sides.h"

#include <QFontMetricsF>
#include <QPainter>

#include "app/services/comparison.h"
#include "app/services/services.h"
#include "viz/base/cell_view.h"
#include "viz/base/clauses.h"
#include "viz/base/side_by_side.h"

namespace tileloom {

SideBySide* makeTwoSides(QWidget* baseline, QWidget* now, PageContext& context) {
  auto* pair = new SideBySide(baseline, now);
  QObject::connect(&context.comparison, &Comparison::titlesChanged, pair, &SideBySide::setTitles);
  QObject::connect(&context.comparison, &Comparison::momentsChanged, pair, &SideBySide::setMoments);
  return pair;
}

SideBySide* makeTwoSides(CellView* baseline, CellView* now, PageContext& context) {
  Explorer& explorer = context.services.explorer;
  QObject::connect(now, &CellView::hovered, &explorer, &Explorer::hover);
  QObject::connect(now, &CellView::clicked, &explorer, &Explorer::hold);
  QObject::connect(baseline, &CellView::hovered, &explorer, &Explorer::hoverBaseline);
  QObject::connect(baseline, &CellView::clicked, &explorer, &Explorer::holdBaseline);
  return makeTwoSides(static_cast<QWidget*>(baseline), static_cast<QWidget*>(now), context);
}

int heightOfTwo(const SideBySide& pair) {
  constexpr int kLines = 26;
  return pair.comparing() && pair.oneAboveTheOther() ? kLines * pair.fontMetrics().height() : 0;
}

void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const SidesPicture& picture) {
  const QRectF canvas(QPointF(0, 0), sheet.size);
  painter.fillRect(canvas, sheet.theme.ground);
  if (!context.services.explorer.baseline().ready()) return picture.paint(painter, false, canvas);
  const Fonts fonts = Fonts::of(sheet.font);
  QFont bold = fonts.body;
  bold.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(bold);
  const double letter = QFontMetricsF(fonts.body).averageCharWidth();
  const bool above = SideBySide::oneAboveTheOther(picture.letters, letter, canvas.width());
  const QSizeF part = above ? QSizeF(canvas.width(), canvas.height() / 2)
                            : QSizeF(canvas.width() / 2, canvas.height());
  const double line = 1.6 * metrics.height();
  const auto side = [&](bool baseline, const QString& name, const QString& moment) {
    QRectF place(QPointF(0, 0), part);
    if (!baseline) place.moveTo(canvas.width() - part.width(), canvas.height() - part.height());
    const QRectF head(place.left() + 12, place.top(), place.width() - 20, line);
    const QString title =
        moment.isEmpty() || !picture.moments ? name : QStringLiteral("%1 · %2").arg(moment, name);
    painter.setFont(bold);
    painter.setPen(sheet.theme.text);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, fitted(title, metrics, head.width()));
    picture.paint(painter, baseline, place.adjusted(0, line, 0, 0));
  };
  const auto& titles = context.comparison.titles();
  const auto& moments = context.comparison.moments();
  side(true, SideBySide::tr("Baseline: %1").arg(titles.first), moments.first);
  side(false, SideBySide::tr("Now: %1").arg(titles.second), moments.second);
}

void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const PaintScene& paint) {
  const Explorer& explorer = context.services.explorer;
  paintTwoSides(painter, sheet, context,
                SidesPicture{.paint = [&](QPainter& p, bool baseline, const QRectF& canvas) {
                  paint(p, baseline ? explorer.baseline() : explorer.scene(), canvas);
                }});
}

}  // namespace tileloom
