// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a lecture in the window, step by step: for an audience on the whole screen, or for learning
// alone. Between steps the user can change everything; one key leads back.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/lecture/lecture.h"
#include "app/window/lecture/lecture_answers.h"
#include "app/window/lecture/lecture_clock.h"
#include "app/window/lecture/step_marks.h"
#include "viz/lecture/lecture_slide.h"
#include "viz/lecture/marks_layer.h"

class QMenu;

namespace tileloom {

class LecturePanel;
class Window;
class SpeakerWindow;
class StepFade;

// The settings key of the last step.
std::string progressKey(const lecture::Lecture& lecture);
// The last step seen; the first one after the lecture was seen to its end.
std::size_t stepToContinueAt(const lecture::Lecture& lecture);
class LectureMode : public QObject {
  Q_OBJECT
 public:
  // As presented, but not in full screen and without the line of keys: for pictures.
  enum class Manner { Learning, Presenting, Picture };

  // `panel` is beside the views and `marks` is over them; the window owns both.
  LectureMode(Window& window, LecturePanel& panel, MarksLayer& marks);
  ~LectureMode() override;

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
  bool active() const { return m_lecture.has_value(); }
  const lecture::Lecture* lecture() const { return m_lecture ? &*m_lecture : nullptr; }
  std::size_t step() const { return m_step; }
  // Its id, or its file where it is read from one; empty: there is no lecture.
  QString name() const { return m_lecture ? m_name : QString(); }

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
  void first();
  void last();
  // Presents on the whole screen, without bars, from the present step on. Without a lecture a menu
  // asks for one.
  void present();
  // Leaves full screen so that the user can use the window; the step stays.
  void leave();
  // Resets the window to the beginning of the step.
  void resume();
  bool presenting() const { return m_presenting; }
  bool left() const { return m_left; }
  bool asks() const { return m_lecture && now().question; }  // a question of the step
  // Whether its question or task has an answer that is not shown yet.
  bool answerable() const;
  bool inked() const { return m_marks.strokes() > 0; }
  void setBlank(bool blank);
  bool blank() const { return !m_blank.isNull(); }
  // How many choices its question still offers; 0: none.
  int choices() const;
  void choose(int choice);
  void openContents();
  void showSpeaker(bool shown);
  void toggle(MarksLayer::Tool tool);  // chooses the tool, or none
  void clearInk();
  void answer();  // is shown, of the step's question or task
  SpeakerWindow* speaker() const;
  const LectureClock& clock() const { return m_clock; }

  // Duration of the transition between two steps, in milliseconds.
  static constexpr int kPassMs = 600;
  // For a film: a step begins with the last state of the previous one, and passTo() sets the state
  // `ms` later, at most kPassMs. Nothing follows the clock, and nothing plays by itself.
  void setFilmed(bool filmed) { m_filmed = filmed; }
  void passTo(int ms);

  // The step's instant is shown, and its task is checked.
  bool settled() const { return m_arrived.has_value() || !m_lecture; }

 signals:
  void stepShown();
  void closed();
  void aboutToPresent();
  void lectureAsked();  // there is none to present
  void presentingChanged(bool presenting);
  void editAsked();  // of the step that is shown

 private:
  const lecture::Step& now() const { return m_lecture->steps[m_step]; }
  void show();
  void arrive();
  void judge();
  void setWindowAside();
  // Whether a recording is of the kernel that the step shows.
  bool isOfStep(const emulator::Trace& trace) const;
  void showMarks();
  void showSlide();
  std::string_view onward() const;  // the lecture offered after this step; empty: none
  void goOnward();
  void type(const QString& number);
  void hint();
  void solve();
  QRect roomOfLoom() const;
  void closeSpeaker();
  void fade(const QPixmap& before, const QRect& loomBefore);
  lecture::TileFacts factsOf(const ViewState& state) const;
  lecture::TileFacts factsOfWindow() const;
  lecture::TileFacts factsOfStep() const;
  void keepProgress() const;
  void setPresenting(bool presenting, bool screen = true);

  Window& m_window;
  LecturePanel& m_panel;
  MarksLayer& m_marks;
  StepMarks m_onGlass;
  std::optional<lecture::Lecture> m_lecture;
  QString m_name;                  // of the lecture: its id, or its file if it is read from one
  QString m_trouble;               // of its file, since it was saved last
  std::function<bool()> m_edited;  // see setEdited()
  std::function<QString()> m_keysLine;
  std::size_t m_step = 0;
  LectureAnswers m_answers;
  LectureAnswers m_answersBefore;   // the presentation
  std::optional<Session> m_before;  // the window before the lecture
  bool m_presenting = false;
  bool m_left = false;
  bool m_filmed = false;
  // The step in the window.
  struct Arrived {
    std::weak_ptr<const analysis::Recording> recording;  // the latest
    // The instruction that the step began at; std::nullopt: the user left the step before.
    std::optional<std::uint32_t> instant = std::nullopt;
  };
  std::optional<Arrived> m_arrived;  // std::nullopt: its recording is not there yet
  int m_textBefore = 100;
  QPointer<QWidget> m_blank;
  QPointer<StepFade> m_fade;
  LectureClock m_clock;
  QPointer<SpeakerWindow> m_speaker;
};

}  // namespace tileloom
