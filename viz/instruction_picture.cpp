// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction table as a picture of its own: a table view paints what is in sight of its scroll
// bars, and into pixels.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <algorithm>
#include <array>

#include "viz/charts/chart_style.h"
#include "viz/instruction_table.h"
#include "viz/painted_view.h"

namespace tileloom {

struct InstructionTable::Sketch {
  QFont font, bold;
  double margin = 0;
  double line = 0;   // height of a row
  double hatch = 0;  // edge of the mark of a conflict
  std::array<double, InstructionModel::kColumns> left{}, width{};
  double right = 0;  // of the last column
  QString scope;

  double top(int row) const { return margin + line * (row + 2); }
};

InstructionTable::Sketch InstructionTable::sketch() const {
  Sketch s;
  s.font = s.bold = Fonts::of(font()).body;
  s.bold.setBold(true);
  const QFontMetricsF metrics(s.bold);
  s.margin = metrics.height() * 0.7;
  s.line = metrics.height() * 1.45;
  s.hatch = metrics.height() * 0.6;
  double x = s.margin;
  for (int column = 0; column < InstructionModel::kColumns; ++column) {
    const auto at = static_cast<std::size_t>(column);
    double widest = metrics.horizontalAdvance(
        m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < m_order->rowCount(); ++row)
      widest = std::max(widest,
                        metrics.horizontalAdvance(m_order->index(row, column).data().toString()));
    if (column == InstructionModel::Conflicts) widest += s.hatch + 6;
    s.left[at] = x;
    s.width[at] = widest;
    x += widest + metrics.height() * 1.2;
    s.right = s.left[at] + widest;
  }
  s.scope = m_scope->text();
  QStringList filters;
  if (!m_group->currentData().toString().isEmpty()) filters += m_group->currentText();
  if (!m_text->text().trimmed().isEmpty())
    filters += QStringLiteral("\"%1\"").arg(m_text->text().trimmed());
  if (!filters.isEmpty()) s.scope += tr(" · only %1").arg(filters.join(tr(" and ")));
  return s;
}

QSizeF InstructionTable::pictureSize() {
  refresh();
  const Sketch s = sketch();
  const double words = QFontMetricsF(s.font).horizontalAdvance(s.scope);
  return {std::ceil(std::max(s.right, s.margin + words) + s.margin),
          std::ceil(s.top(m_order->rowCount()) + s.margin)};
}

void InstructionTable::paintTo(QPainter& p, const QSizeF& size) {
  refresh();
  const Theme theme = Theme::of(palette());
  const Sketch s = sketch();
  p.fillRect(QRectF(QPointF(0, 0), size), theme.ground);
  p.setFont(s.font);
  p.setPen(theme.soft);
  p.drawText(QRectF(s.margin, s.margin, size.width() - 2 * s.margin, s.line),
             Qt::AlignLeft | Qt::AlignVCenter, s.scope);
  const auto cell = [&](int row, int column) {
    const auto at = static_cast<std::size_t>(column);
    return QRectF(s.left[at], s.top(row), s.width[at], s.line);
  };
  const auto alignment = [](int column) {
    return column == InstructionModel::What ? Qt::AlignLeft : Qt::AlignRight;
  };
  for (int column = 0; column < InstructionModel::kColumns; ++column)
    p.drawText(cell(-1, column), alignment(column) | Qt::AlignVCenter,
               m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
  p.setPen(hairline(theme.line));
  p.drawLine(QPointF(s.margin, s.top(0)), QPointF(std::min(s.right, size.width()), s.top(0)));

  const int all = m_order->rowCount();
  const int room = static_cast<int>((size.height() - s.margin - s.top(0)) / s.line);
  const int shown = all <= room ? all : std::max(0, room - 1);
  for (int row = 0; row < shown; ++row) {
    const bool marked = m_order->mapToSource(m_order->index(row, 0)).row() == m_model->marked();
    if (marked) p.fillRect(QRectF(s.margin / 2, s.top(row), s.right, s.line), theme.well);
    p.setFont(marked ? s.bold : s.font);
    for (int column = 0; column < InstructionModel::kColumns; ++column) {
      const QModelIndex index = m_order->index(row, column);
      const QString words = index.data().toString();
      const bool trouble = index.data(Qt::DecorationRole).isValid();
      const QRectF place = cell(row, column);
      if (trouble) {
        const double width = QFontMetricsF(p.font()).horizontalAdvance(words);
        charts::drawHatch(p,
                          QRectF(place.right() - width - s.hatch - 6,
                                 place.center().y() - s.hatch / 2, s.hatch, s.hatch),
                          theme.trouble);
      }
      p.setPen(trouble ? theme.trouble : theme.text);
      p.drawText(place, alignment(column) | Qt::AlignVCenter, words);
    }
  }
  if (shown == all) return;
  p.setFont(s.font);
  p.setPen(theme.soft);
  p.drawText(QRectF(s.margin, s.top(shown), size.width() - 2 * s.margin, s.line),
             Qt::AlignLeft | Qt::AlignVCenter, tr("… and %1 more").arg(all - shown));
}

}  // namespace tileloom
