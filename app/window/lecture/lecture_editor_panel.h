// SPDX-License-Identifier: GPL-3.0-or-later
// The widget of the lecture editor: steps, the fields of the chosen step, and save and undo
// buttons. It scrolls, so that large text fits on small screens.
#pragma once

#include <QWidget>
#include <vector>

class QCheckBox;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace tileloom {

class AskingFields;
class DraftField;
class LectureEditor;
class MarkFields;
class NumberField;
class Prose;
class StepList;

class LectureEditorPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LectureEditorPanel(LectureEditor& editor, QWidget* parent = nullptr);

  MarkFields& marks() { return *m_marks; }
  QWidget* focusTarget() const;  // the list of steps
  // One sentence on the state of the file, or on the next action.
  void say(const QString& sentence, bool trouble);

  QSize sizeHint() const override;

 signals:
  void saveAsked();
  void saveAsAsked();
  void closeAsked();
  void pickAsked();
  void backAsked();  // the window is to show the step again

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh();
  void showTrouble();
  QString sceneText() const;
  void addHeading(QVBoxLayout& column, const QString& text);
  QPushButton* button(const char* name, const QString& text, const QString& tip);

  LectureEditor& m_editor;
  StepList* m_steps;
  QWidget* m_step;  // everything of the chosen one
  std::vector<DraftField*> m_fields;
  NumberField* m_minutes;
  QCheckBox* m_plays;
  Prose *m_scene, *m_sceneTrouble;
  MarkFields* m_marks;
  AskingFields* m_asking;
  Prose *m_trouble, *m_said;
  QPushButton *m_save, *m_undo, *m_redo;
  QScrollArea* m_scroll;
};

}  // namespace tileloom
