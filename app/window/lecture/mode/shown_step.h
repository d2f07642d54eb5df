// SPDX-License-Identifier: GPL-3.0-or-later
// The step of a lecture in the window: its scene, its marks on the glass, and whether the window
// still shows it or the user has changed the kernel since.
#pragma once

#include <QObject>

#include "app/lecture/quantities.h"
#include "app/session/view_state.h"
#include "app/window/lecture/mode/step_arrival.h"
#include "app/window/lecture/mode/step_passage.h"
#include "app/window/lecture/step_marks.h"

namespace tileloom {

class LectureCourse;
class MarksLayer;
class Window;

class ShownStep : public QObject {
  Q_OBJECT
 public:
  // Shows the present step of `course`, whose owner says when it is another one. `words` is the
  // panel of the lecture.
  ShownStep(const LectureCourse& course, Window& window, const QWidget& words, MarksLayer& marks);

  // Another lecture begins: the user has left none of its steps yet.
  void begin() { m_left = false; }
  // Sets the window to the step, from its beginning. Ink and marks of another step disappear.
  void show();
  // The step has other texts and marks, and the same beginning.
  void changeTexts();
  // Compares the window with the step, and emits `compared`, once the step's recording has arrived.
  void compare();
  // The window shows no step any more.
  void end();

  // The recording of the step has arrived, and the step was compared with the window.
  bool arrived() const { return m_arrival.here(); }
  // Whether the window shows another kernel or size than the step.
  bool left() const { return m_left; }
  // The figures of the step's own tile. There must be a step.
  lecture::TileFacts facts() const;
  StepPassage& passage() { return m_passage; }

 signals:
  // `state` is what the window shows now.
  void compared(const tileloom::ViewState& state);

 private:
  void arrive();
  void showMarks();

  const LectureCourse& m_course;
  Window& m_window;
  MarksLayer& m_marks;
  StepMarks m_onGlass;
  StepPassage m_passage;
  StepArrival m_arrival;
  bool m_left = false;
};

}  // namespace tileloom
