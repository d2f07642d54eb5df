// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a whole table for export: a table view paints only its visible part, and only into pixels.
#pragma once

#include <QAbstractItemModel>
#include <QFont>
#include <QString>
#include <vector>

#include "viz/base/theme.h"

class QPainter;

namespace tileloom {

// The rows of a model in its order, below headings of one or several lines. Text, alignment and the
// mark of trouble (a decoration) come from the model's roles.
class TablePicture {
 public:
  // `scope` is the title; the columns in `hidden` are left out. The model must outlive this.
  TablePicture(const QAbstractItemModel& model, QString scope, const QFont& font,
               const std::vector<int>& hidden = {});

  // The size of the whole table.
  QSizeF size() const;
  // Paints as many rows as fit into the height, and the number of missing ones. The row `marked` is
  // highlighted.
  void paint(QPainter& p, const QSizeF& size, const Theme& theme, int marked = -1) const;

 private:
  struct Column {
    int number;
    double left, width;
  };
  double top(int row) const { return m_margin + m_line * (row + 1 + m_headLines); }

  const QAbstractItemModel& m_model;
  QString m_scope;
  QFont m_font, m_bold;
  double m_margin = 0;
  double m_line = 0;  // height of a row
  int m_headLines = 1;
  double m_hatch = 0;  // edge of the mark of trouble
  double m_right = 0;  // of the last column
  std::vector<Column> m_columns;
};

}  // namespace tileloom
