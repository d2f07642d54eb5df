// SPDX-License-Identifier: GPL-3.0-or-later
// Editing a lecture in the window: the editor beside the views or in a window of its own, marks
// that are picked on the picture, and questions about files. No edit is lost without a question.
#pragma once

#include <QObject>

#include "app/window/lecture/lecture_editor.h"

class QDockWidget;
class QFileSystemWatcher;

namespace tileloom {

class LectureEditorPanel;
class Window;
class MarkPicker;

class LectureEditing : public QObject {
  Q_OBJECT
 public:
  LectureEditing(LectureMode& mode, Window& window);

  bool active() const { return m_active; }
  LectureEditor& editor() { return *m_editor; }
  LectureEditorPanel& panel() { return *m_panel; }
  MarkPicker& picker() { return *m_picker; }
  QDockWidget& dock() { return *m_dock; }

  // Empty, or one sentence without a full stop on why it is not edited.
  QString edit(const QString& file, std::size_t step);
  // A copy of a lecture, which may be one that ships, becomes this file.
  QString editCopy(const QString& name, const QString& file, std::size_t step);
  // A lecture with one step, which shows the present window.
  QString editNew(const QString& file);

  // The same with questions and messages.
  void tryToEdit(const QString& file, std::size_t step);
  void askForCopy(const QString& name, std::size_t step);
  void askForFile();
  void askForNew();

  void comeForward();
  // Asks to save or discard changes; false: the user keeps editing.
  bool mayLeave();
  bool save();
  bool saveAs();
  void close();
  void pick();

 protected:
  // Ctrl+S saves the lecture that is edited, whichever window has the focus.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Answer { First, Second, Cancel };
  Answer ask(const QString& sentence, const QString& first, const QString& second);
  QString askForName(const QString& title, const QString& proposed);
  bool saved(const QString& trouble);
  void tell(const QString& title, const QString& trouble);
  void begin();
  void end();
  void place();
  void name();
  void take(const MarkTarget& target);
  void watch();
  void readAgain();

  LectureMode& m_mode;
  Window& m_window;
  LectureEditor* m_editor;
  LectureEditorPanel* m_panel;
  QDockWidget* m_dock;
  MarkPicker* m_picker;
  QFileSystemWatcher* m_watcher;
  bool m_active = false;
  bool m_placed = false;
};

}  // namespace tileloom
