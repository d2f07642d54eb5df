// SPDX-License-Identifier: GPL-3.0-or-later
// A table as a picture of its own: a table view paints what is in sight of its scroll bars, and
// into pixels.
#pragma once

#include <QAbstractItemModel>
#include <QFont>
#include <QString>
#include <vector>

#include "viz/base/theme.h"

class QPainter;

namespace tileloom {

// The rows of a model in its order, below headings of one line or several. Words, alignment and the
// mark of trouble (a decoration) are those that the model tells a view.
class TablePicture {
 public:
  // `scope` stands above; of several columns those in `hidden` are left out. The model outlives
  // this.
  TablePicture(const QAbstractItemModel& model, QString scope, const QFont& font,
               const std::vector<int>& hidden = {});

  // That all of it needs.
  QSizeF size() const;
  // As many rows as fit into the height; what is missing is counted. The marked one stands out.
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
