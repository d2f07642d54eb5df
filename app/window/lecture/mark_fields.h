// SPDX-License-Identifier: GPL-3.0-or-later
// Editor fields for the marks of a step: list, target and text.
#pragma once

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace tileloom {

class DraftField;
class LectureEditor;
class Prose;

class MarkFields : public QWidget {
  Q_OBJECT
 public:
  explicit MarkFields(LectureEditor& editor, QWidget* parent = nullptr);

  void refresh();
  void showTrouble();
  void choose(int mark);

 signals:
  void pickAsked();

 private:
  void showMark();
  void setForm(int form);
  void setKind(int kind);
  void setValue();
  int mark() const;  // the chosen one; -1: none

  LectureEditor& m_editor;
  QListWidget* m_list;
  QPushButton *m_add, *m_erase;
  QWidget* m_fields;
  QComboBox *m_form, *m_kind, *m_value;
  DraftField* m_text;
  Prose* m_trouble;
};

}  // namespace tileloom
