// SPDX-License-Identifier: GPL-3.0-or-later
// Exports the instruction table as a picture.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSortFilterProxyModel>

#include "viz/base/paint/table_picture.h"
#include "viz/code/instruction_table.h"

namespace tileloom {

TablePicture InstructionTable::picture() {
  refresh();
  QString scope = m_scope->text();
  QStringList filters;
  if (!m_group->currentData().toString().isEmpty()) filters += m_group->currentText();
  if (!m_text->text().trimmed().isEmpty())
    filters += QStringLiteral("\"%1\"").arg(m_text->text().trimmed());
  if (!filters.isEmpty()) scope += tr(" · only %1").arg(filters.join(tr(" and ")));
  return TablePicture(*m_order, scope, font(),
                      comparing() ? m_pairs->emptyColumns() : std::vector<int>());
}

QSizeF InstructionTable::pictureSize() {
  return picture().size();
}

void InstructionTable::paintTo(QPainter& p, const QSizeF& size) {
  const TablePicture table = picture();
  const QModelIndex at = m_order->mapFromSource(m_order->sourceModel()->index(marked(), 0));
  table.paint(p, size, Theme::of(palette()), at.isValid() ? at.row() : -1);
}

}  // namespace tileloom
