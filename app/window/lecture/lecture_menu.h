// SPDX-License-Identifier: GPL-3.0-or-later
// The Lecture menu: lists lectures, and exports, edits and extends them. It asks for files and
// names; LectureMode shows the steps.
#pragma once

#include <QObject>

#include "app/window/lecture/lecture_mode.h"

class QMenu;

namespace tileloom {

class LectureEditing;

class LectureMenu : public QObject {
  Q_OBJECT
 public:
  LectureMenu(LectureMode& mode, Window& window, QMenu& menu);

  void askWhich();  // of all lectures, to present one
  // The dialog that writes a lecture to files; the one that is shown is proposed.
  void openExport();
  // Adds the window as the last step of that file. Empty, or one sentence without a full stop on
  // why it failed.
  QString addStepTo(const QString& file, const QString& headline, const QString& text);
  // The editor, with the lecture that is shown; one that ships is copied first.
  void edit();
  LectureEditing& editing();

 private:
  using Manner = LectureMode::Manner;

  void offerLectures(QMenu& menu, Manner manner);
  void askWhichToEdit();
  void popUp(QMenu& menu);
  void tryToOpen(const QString& name, Manner manner);
  void askForFile(Manner manner);
  void addStep();

  LectureMode& m_mode;
  Window& m_window;
  LectureEditing* m_editing = nullptr;
};

}  // namespace tileloom
