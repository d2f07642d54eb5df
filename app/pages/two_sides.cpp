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

SideBySide* makeTwoSides(CellView* baseline, CellView* now, PageContext& context) {
  auto* pair = new SideBySide(baseline, now);
  Explorer& explorer = context.services.explorer;
  QObject::connect(now, &CellView::hovered, &explorer, &Explorer::hover);
  QObject::connect(now, &CellView::clicked, &explorer, &Explorer::hold);
  QObject::connect(baseline, &CellView::hovered, &explorer, &Explorer::hoverBaseline);
  QObject::connect(baseline, &CellView::clicked, &explorer, &Explorer::holdBaseline);
  QObject::connect(&context.comparison, &Comparison::titlesChanged, pair, &SideBySide::setTitles);
  QObject::connect(&context.comparison, &Comparison::momentsChanged, pair, &SideBySide::setMoments);
  return pair;
}

void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const PaintScene& paint) {
  const Explorer& explorer = context.services.explorer;
  const QRectF canvas(QPointF(0, 0), sheet.size);
  painter.fillRect(canvas, sheet.theme.ground);
  if (!explorer.baseline().ready()) return paint(painter, explorer.scene(), canvas);
  QFont bold = Fonts::of(sheet.font).body;
  bold.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(bold);
  const double line = 1.6 * metrics.height(), half = canvas.width() / 2;
  const auto side = [&](const Scene& scene, const QString& name, const QString& moment, double x) {
    const QRectF head(x + 12, 0, half - 20, line);
    const QString title = moment.isEmpty() ? name : QStringLiteral("%1 · %2").arg(moment, name);
    painter.setFont(bold);
    painter.setPen(sheet.theme.text);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, fitted(title, metrics, head.width()));
    paint(painter, scene, QRectF(x, line, half, canvas.height() - line));
  };
  const auto& titles = context.comparison.titles();
  const auto& moments = context.comparison.moments();
  side(explorer.baseline(), SideBySide::tr("Baseline: %1").arg(titles.first), moments.first, 0);
  side(explorer.scene(), SideBySide::tr("Now: %1").arg(titles.second), moments.second, half);
}

}  // namespace tileloom
