// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/table_picture.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/marks.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

constexpr double kHatchGap = 6;

int alignmentIn(const QAbstractItemModel& model, int column) {
  const QVariant said = model.index(0, column).data(Qt::TextAlignmentRole);
  const bool right =
      said.canConvert<Qt::Alignment>() && said.value<Qt::Alignment>().testFlag(Qt::AlignRight);
  return static_cast<int>((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

TablePicture::TablePicture(const QAbstractItemModel& model, QString scope, const QFont& font,
                           const std::vector<int>& hidden)
    : m_model(model), m_scope(std::move(scope)) {
  m_font = m_bold = Fonts::of(font).body;
  m_bold.setBold(true);
  const QFontMetricsF metrics(m_bold);
  m_margin = metrics.height() * 0.7;
  m_line = metrics.height() * 1.45;
  m_hatch = metrics.height() * 0.6;
  double x = m_margin;
  for (int column = 0; column < model.columnCount(); ++column) {
    if (std::ranges::find(hidden, column) != hidden.end()) continue;
    double widest = 0;
    const QStringList head = model.headerData(column, Qt::Horizontal).toString().split(u'\n');
    m_headLines = std::max(m_headLines, static_cast<int>(head.size()));
    for (const QString& words : head) widest = std::max(widest, metrics.horizontalAdvance(words));
    for (int row = 0; row < model.rowCount(); ++row) {
      const QModelIndex index = model.index(row, column);
      const bool trouble = index.data(Qt::DecorationRole).isValid();
      widest = std::max(widest, metrics.horizontalAdvance(index.data().toString()) +
                                    (trouble ? m_hatch + kHatchGap : 0));
    }
    m_columns.push_back({column, x, widest});
    m_right = x + widest;
    x += widest + metrics.height() * 1.2;
  }
}

QSizeF TablePicture::size() const {
  const double words = QFontMetricsF(m_font).horizontalAdvance(m_scope);
  return {std::ceil(std::max(m_right, m_margin + words) + m_margin),
          std::ceil(top(m_model.rowCount()) + m_margin)};
}

void TablePicture::paint(QPainter& p, const QSizeF& size, const Theme& theme, int marked) const {
  p.fillRect(QRectF(QPointF(0, 0), size), theme.ground);
  p.setFont(m_font);
  p.setPen(theme.soft);
  p.drawText(QRectF(m_margin, m_margin, size.width() - 2 * m_margin, m_line),
             Qt::AlignLeft | Qt::AlignVCenter, m_scope);
  const auto place = [this](int row, const Column& column) {
    return QRectF(column.left, top(row), column.width, m_line);
  };
  for (const Column& column : m_columns) {
    const QStringList head =
        m_model.headerData(column.number, Qt::Horizontal).toString().split(u'\n');
    for (qsizetype i = 0; i < head.size(); ++i)
      p.drawText(place(static_cast<int>(i - head.size()), column),
                 alignmentIn(m_model, column.number), head[i]);
  }
  p.setPen(hairline(theme.line));
  p.drawLine(QPointF(m_margin, top(0)), QPointF(std::min(m_right, size.width()), top(0)));

  const int all = m_model.rowCount();
  const int room = static_cast<int>((size.height() - m_margin - top(0)) / m_line);
  const int shown = all <= room ? all : std::max(0, room - 1);
  for (int row = 0; row < shown; ++row) {
    if (row == marked) p.fillRect(QRectF(m_margin / 2, top(row), m_right, m_line), theme.well);
    p.setFont(row == marked ? m_bold : m_font);
    for (const Column& column : m_columns) {
      const QModelIndex index = m_model.index(row, column.number);
      const QString words = index.data().toString();
      const QRectF cell = place(row, column);
      const bool trouble = index.data(Qt::DecorationRole).isValid();
      if (trouble) {
        const double width = QFontMetricsF(p.font()).horizontalAdvance(words);
        figures::drawHatch(p,
                           QRectF(cell.right() - width - m_hatch - kHatchGap,
                                  cell.center().y() - m_hatch / 2, m_hatch, m_hatch),
                           theme.trouble);
      }
      p.setPen(trouble ? theme.trouble : theme.text);
      p.drawText(cell, alignmentIn(m_model, column.number), words);
    }
  }
  if (shown == all) return;
  p.setFont(m_font);
  p.setPen(theme.soft);
  p.drawText(QRectF(m_margin, top(shown), size.width() - 2 * m_margin, m_line),
             Qt::AlignLeft | Qt::AlignVCenter,
             QCoreApplication::translate("TablePicture", "… and %1 more").arg(all - shown));
}

}  // namespace tileloom
