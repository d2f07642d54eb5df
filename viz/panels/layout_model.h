// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the experiment on a shared array: one row for each kind of access on a line of the
// source, with its wavefronts before and after, and their sums.
#pragma once

#include <QAbstractTableModel>
#include <QFont>
#include <vector>

#include "viz/base/theme.h"
#include "viz/memory/layout_experiment.h"

namespace tileloom {

class LayoutModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Line, Access, Executed, Before, ConflictsBefore, After, ConflictsAfter, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  void setExperiment(const LayoutExperiment& experiment);
  void setStyle(const Theme& theme, const QFont& font);
  // Emphasises the row of this access, if there is one.
  void mark(const analysis::Moment* access);
  int marked() const { return m_marked; }
  // nullptr for the rows of sums, which come last.
  const analysis::LayoutLine* lineOf(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  // Decoration: this number is of bank conflicts, or an access that would be split.
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;

 private:
  struct Row {
    QString access;
    analysis::LayoutLine line;  // number 0: a sum
  };
  QVariant shown(const Row& row, int column) const;

  std::vector<Row> m_rows;
  int m_marked = -1;
  Theme m_theme;
  QFont m_font;
};

}  // namespace tileloom
