// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a lecture in the window, step by step: for an audience on the whole screen, or for learning
// alone. Between steps the user can change everything; one key leads back.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <string_view>

#include "app/lecture/lecture.h"
#include "app/window/lecture/lecture_clock.h"
#include "app/window/lecture/mode/blank_screen.h"
#include "app/window/lecture/mode/lecture_course.h"
#include "app/window/lecture/mode/lecture_file_watch.h"
#include "app/window/lecture/mode/presenting_window.h"
#include "app/window/lecture/mode/shown_step.h"
#include "app/window/lecture/mode/speaker_screen.h"
#include "app/window/lecture/mode/window_aside.h"
#include "viz/lecture/marks_layer.h"

namespace tileloom {

class LecturePanel;
class Window;

class LectureMode : public QObject {
  Q_OBJECT
 public:
  // As presented, but not in full screen and without the line of keys: for pictures.
  enum class Manner { Learning, Presenting, Picture };

  // `panel` is beside the views and `marks` is over them; the window owns both.
  LectureMode(Window& window, LecturePanel& panel, MarksLayer& marks);

  // Sets what shows the keys that work now, in one line for the speaker (LectureKeys).
  void setKeysLine(std::function<QString()> line) { m_keysLine = std::move(line); }

  // Shows a lecture from one of its steps on, or from the last step seen. false: the user keeps
  // editing another lecture.
  bool open(lecture::Lecture lecture, std::optional<std::size_t> step = std::nullopt,
            Manner manner = Manner::Learning);
  // One by its name or file; empty, or one sentence on why it was not opened.
  QString openNamed(const QString& name, Manner manner = Manner::Learning,
                    std::optional<std::size_t> step = std::nullopt);
  // The step at which a named lecture opens. A presentation begins at its first step; learning
  // continues at the last step seen.
  static std::optional<std::size_t> beginningOf(Manner manner) {
    return manner == Manner::Learning ? std::nullopt : std::optional<std::size_t>(0);
  }
  // Restores the window to its state before the lecture.
  void close();
  bool active() const { return lecture() != nullptr; }
  const lecture::Lecture* lecture() const { return m_course.lecture(); }
  std::size_t step() const { return m_course.step(); }
  // Its id, or its file where it is read from one; empty: there is no lecture.
  QString name() const { return active() ? m_name : QString(); }

  // Shows the state of an edited lecture, as it will be presented; `name` is its file. The window
  // is set again only if the scene of the step has changed.
  void preview(lecture::Lecture lecture, const QString& name, std::size_t step);
  // The lecture is being edited: `mayLeave` is called before another lecture, or none, is shown. An
  // empty function ends this.
  void setEdited(std::function<bool()> mayLeave) { m_edited = std::move(mayLeave); }
  bool mayLeave();
  MarksLayer& marks() { return m_marks; }

  void goTo(std::size_t step);
  void next();  // stays at the last step
  void nextOrEnd();
  void previous();
  void first() { goTo(0); }
  void last();
  // Presents on the whole screen, without bars, from the present step on. Without a lecture a menu
  // asks for one.
  void present();
  // Leaves full screen so that the user can use the window; the step stays.
  void leave();
  // Resets the window to the beginning of the step.
  void resume();
  bool presenting() const { return m_presenting; }
  bool left() const { return m_shown.left(); }
  // The questions of the step, as in LectureCourse.
  bool asks() const { return m_course.asks(); }
  bool answerable() const { return m_course.answerable(); }
  int choices() const { return m_course.choices(); }
  bool inked() const { return m_marks.strokes() > 0; }
  void setBlank(bool blank) { m_blank.set(blank); }
  bool blank() const { return m_blank.shown(); }
  void choose(int choice);
  void openContents();
  void showSpeaker(bool shown);
  void toggle(MarksLayer::Tool tool);  // chooses the tool, or none
  void clearInk() { m_marks.clearInk(); }
  void answer();  // is shown, of the step's question or task
  SpeakerWindow* speaker() const { return m_speaker.shown(); }
  const LectureClock& clock() const { return m_clock; }

  // The transition between two steps, and a film of it, as in StepPassage.
  static constexpr int kPassMs = StepPassage::kMs;
  void setFilmed(bool filmed) { m_shown.passage().setFilmed(filmed); }
  void passTo(int ms) { m_shown.passage().passTo(ms); }

  // The step's instant is shown, and its task is checked.
  bool settled() const { return m_shown.arrived() || !active(); }

 signals:
  void stepShown();
  void closed();
  void aboutToPresent();
  void lectureAsked();  // there is none to present
  void presentingChanged(bool presenting);
  void editAsked();  // of the step that is shown

 private:
  const lecture::Step& now() const { return m_course.now(); }
  void readAgain(tl::expected<lecture::Lecture, std::string> lecture);
  void show();
  void judge(const ViewState& state);
  void showSlide();
  std::string_view onward() const;  // the lecture offered after this step; empty: none
  void goOnward();
  void type(const QString& number);
  void hint();
  void solve();
  void keepProgress() const;
  void setPresenting(bool presenting, bool screen = true);

  Window& m_window;
  LecturePanel& m_panel;
  MarksLayer& m_marks;
  LectureCourse m_course;
  QString m_name;                  // of the lecture: its id, or its file if it is read from one
  QString m_trouble;               // of its file, since it was saved last
  std::function<bool()> m_edited;  // see setEdited()
  std::function<QString()> m_keysLine;
  bool m_presenting = false;
  LectureFileWatch m_watch;
  WindowAside m_aside;
  ShownStep m_shown;
  PresentingWindow m_presentingWindow;
  BlankScreen m_blank;
  LectureClock m_clock;
  SpeakerScreen m_speaker;
};

}  // namespace tileloom
