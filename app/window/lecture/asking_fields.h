// SPDX-License-Identifier: GPL-3.0-or-later
// Editor fields for the question or the task of a step.
#pragma once

#include <QWidget>
#include <vector>

class QComboBox;
class QPushButton;

namespace tileloom {

class DraftField;
class LectureEditor;
class Prose;

class AskingFields : public QWidget {
  Q_OBJECT
 public:
  explicit AskingFields(LectureEditor& editor, QWidget* parent = nullptr);

  void refresh();
  void showTrouble();

 private:
  enum Kind { Nothing, Question, Task };
  Kind kind() const;    // in the draft
  bool solved() const;  // the task has a solution, right or not
  void setKind(int kind);
  void setRight(int choice);
  DraftField* add(QWidget& to, const char* object, const QString& label, const char* pointer,
                  bool list = false, bool mayLack = false, const QString& hint = {});

  LectureEditor& m_editor;
  QComboBox* m_kind;
  QWidget *m_question, *m_task;
  QWidget* m_rightRow;
  QComboBox* m_right;
  Prose *m_rightTrouble, *m_solution, *m_solutionTrouble, *m_trouble;
  QPushButton* m_take;
  std::vector<DraftField*> m_fields;
};

}  // namespace tileloom
