// SPDX-License-Identifier: GPL-3.0-or-later
// The list of steps of the edited lecture, with buttons and keys to add, copy, delete and move
// steps.
#pragma once

#include <QWidget>

class QListWidget;
class QPushButton;

namespace tileloom {

class LectureEditor;

class StepList : public QWidget {
  Q_OBJECT
 public:
  explicit StepList(LectureEditor& editor, QWidget* parent = nullptr);

  void refresh();
  void showTrouble();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPushButton* button(const char* name, const QString& text, const QString& tip);
  QString nameOf(std::size_t step) const;

  LectureEditor& m_editor;
  QListWidget* m_list;
  QPushButton *m_add, *m_copy, *m_erase, *m_up, *m_down;
};

}  // namespace tileloom
