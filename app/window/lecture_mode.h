// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture in the window: its steps one after the other, for an audience on the whole screen or
// for somebody who learns alone. Between them the person may play with everything; one key leads
// back.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/lecture/lecture.h"
#include "app/window/lecture_answers.h"
#include "app/window/lecture_clock.h"
#include "viz/lecture/lecture_slide.h"
#include "viz/lecture/marks_layer.h"

class QMenu;

namespace tileloom {

class LectureMenu;
class LecturePanel;
class MainWindow;
class SpeakerWindow;
class StepFade;

// Where the settings keep how far somebody got.
std::string progressKey(const lecture::Lecture& lecture);
// A name as a menu shows it: none of its letters is a key.
QString plainEntry(QString name);

class LectureMode : public QObject {
  Q_OBJECT
 public:
  // Pictures are as presented, without filling the screen and without the line of keys.
  enum class Manner { Learning, Presenting, Picture };

  // `panel` stands beside the views and `marks` lies over them; both belong to the window.
  LectureMode(MainWindow& window, LecturePanel& panel, MarksLayer& marks);
  ~LectureMode() override;

  void addActions(QMenu& menu);

  // Shows a lecture from one of its steps on, or where the person left it last.
  // false: somebody edits one and wants to go on with that.
  bool open(lecture::Lecture lecture, std::optional<std::size_t> step = std::nullopt,
            Manner manner = Manner::Learning);
  // One by its name or file; empty, or one sentence on why it was not opened.
  QString openNamed(const QString& name, Manner manner = Manner::Learning,
                    std::optional<std::size_t> step = std::nullopt);
  // The step at which a named lecture opens. A presentation begins at its first step; learning goes
  // on where it was left.
  static std::optional<std::size_t> beginningOf(Manner manner) {
    return manner == Manner::Learning ? std::nullopt : std::optional<std::size_t>(0);
  }
  // The window becomes what it was before the lecture.
  void close();
  bool active() const { return m_lecture.has_value(); }
  const lecture::Lecture* lecture() const { return m_lecture ? &*m_lecture : nullptr; }
  std::size_t step() const { return m_step; }
  // Its id, or its file where it is read from one; empty: there is no lecture.
  QString name() const { return m_lecture ? m_name : QString(); }

  // What an editor has of a lecture, as it will be presented; `name` is its file. The window is set
  // anew only where the step's scene is another one.
  void preview(lecture::Lecture lecture, const QString& name, std::size_t step);
  // Somebody edits the lecture: `mayLeave` is asked before another one, or none, is shown. No
  // function: nobody does any more.
  void setEdited(std::function<bool()> mayLeave) { m_edited = std::move(mayLeave); }
  bool mayLeave();
  MarksLayer& marks() { return m_marks; }

  void goTo(std::size_t step);
  void next();
  void previous();
  void first();
  void last();
  // On the whole screen, without bars; where the lecture was left, it goes on. Without a lecture a
  // menu asks for one.
  void present();
  // The presentation becomes a window again, in which the person plays; the step stays.
  void leave();
  // Back to the step, as it begins.
  void resume();
  bool presenting() const { return m_presenting; }
  bool left() const { return m_left; }
  bool asks() const { return m_lecture && now().question; }  // a question of the step
  // Its question or task has an answer that is not shown yet.
  bool answerable() const;
  bool inked() const { return m_marks.strokes() > 0; }
  void setBlank(bool blank);
  bool blank() const { return !m_blank.isNull(); }
  void openContents();
  void openExport();  // see LectureMenu
  // What the menu has beyond this.
  LectureMenu& menu() { return *m_menu; }
  void showSpeaker(bool shown);
  void toggle(MarksLayer::Tool tool);  // chooses it, or puts it away
  void clearInk();
  void answer();  // is shown, of the step's question or task
  SpeakerWindow* speaker() const;
  const LectureClock& clock() const { return m_clock; }

  // How long the way from one step to the next takes, in milliseconds.
  static constexpr int kPassMs = 600;
  // For a film: a step begins as the one before it ended, and passTo() moves it on to what it is
  // `ms` after that, kPassMs at most. Nothing follows the clock, and nothing plays by itself.
  void setFilmed(bool filmed) { m_filmed = filmed; }
  void passTo(int ms);

  // The step's instant is shown, and its task is judged by what the window knows.
  bool settled() const { return !m_arriving; }

 signals:
  void stepShown();
  void closed();
  void aboutToPresent();
  void presentingChanged(bool presenting);
  void editAsked();  // of the step that is shown

 private:
  const lecture::Step& now() const { return m_lecture->steps[m_step]; }
  void show();
  void arrive();
  void judge();
  void showMarks();
  void fill(std::vector<Mark>& marks) const;  // the figures in their words
  void fillAgain();
  void showSlide();
  void choose(int choice);
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

  MainWindow& m_window;
  LecturePanel& m_panel;
  MarksLayer& m_marks;
  std::optional<lecture::Lecture> m_lecture;
  QString m_name;                  // of the lecture: its id, or its file if it is read from one
  QString m_trouble;               // of its file, since it was saved last
  std::function<bool()> m_edited;  // see setEdited()
  LectureMenu* m_menu = nullptr;
  std::size_t m_step = 0;
  LectureAnswers m_answers;
  std::optional<Session> m_before;  // the window before the lecture
  bool m_presenting = false;
  bool m_left = false;
  bool m_filmed = false;
  bool m_arriving = false;  // the step's recording is not there yet
  TileShape m_awaited;      // of that recording: another than the step's where that is not legal
  std::size_t m_shownStep = static_cast<std::size_t>(-1);  // whose marks are on the glass
  std::optional<std::uint32_t> m_instant;                  // the instruction that the step began at
  std::weak_ptr<const analysis::Recording> m_recording;    // whose instant was chosen
  int m_textBefore = 100;
  QPointer<QWidget> m_blank;
  QPointer<StepFade> m_fade;
  LectureClock m_clock;
  QPointer<SpeakerWindow> m_speaker;
};

}  // namespace tileloom
