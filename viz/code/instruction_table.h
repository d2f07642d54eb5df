// SPDX-License-Identifier: GPL-3.0-or-later
// A table of the block's instructions that can be sorted and filtered; a click on a row goes to the
// next execution of its instruction. With a baseline, the figures of both are beside each other,
// for equal work.
#pragma once

#include <QWidget>

#include "viz/base/paint/table_picture.h"
#include "viz/base/scene.h"
#include "viz/code/instruction_model.h"
#include "viz/code/instruction_pairs.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace tileloom {

class InstructionTable : public QWidget {
  Q_OBJECT
 public:
  explicit InstructionTable(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  void setBaseline(const Scene& scene);
  bool comparing() const { return m_baseline.ready(); }
  const InstructionModel& model() const { return *m_model; }
  const InstructionPairModel& pairs() const { return *m_pairs; }
  QTableView* table() const { return m_table; }

  // The table as a picture: the rows that pass the filter in their present order, as many as fit
  // into the height, and the number of those that do not fit.
  QSizeF pictureSize();
  void paintTo(QPainter& p, const QSizeF& size);

 signals:
  // Go to the next execution of this instruction.
  void asked(int line, tileloom::emulator::Kind kind, const QString& array);
  void askedInBaseline(int line, tileloom::emulator::Kind kind, const QString& array);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void filter();
  void refresh();
  void refreshPairs();
  void go(const QModelIndex& index);
  int marked() const;
  void showMarked();
  TablePicture picture();
  void restyle();
  void sayScope();
  void fitColumns();

  InstructionModel* m_model;
  InstructionPairModel* m_pairs;
  QSortFilterProxyModel* m_order;
  QTableView* m_table;
  QLineEdit* m_text;
  QComboBox* m_group;
  QLabel* m_scope;
  Scene m_scene, m_baseline;
  std::weak_ptr<const analysis::Recording> m_shown;   // of the rows
  std::weak_ptr<const analysis::Recording> m_beside;  // of the rows beside them
  bool m_opened = false;   // no other row has been marked since the recording came
  bool m_follows = false;  // the marked row stays visible until the user scrolls
};

}  // namespace tileloom
