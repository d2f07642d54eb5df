// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_mode.h"

#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <algorithm>

#include "app/lecture/lecture_files.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/lecture/contents_menu.h"
#include "app/window/lecture/lecture_slides.h"
#include "app/window/lecture/mode/facts_in_window.h"
#include "app/window/lecture/mode/kept_step.h"
#include "app/window/lecture/mode/onward_lecture.h"
#include "app/window/window.h"
#include "viz/base/text/text.h"
#include "viz/lecture/lecture_panel.h"

namespace tileloom {

LectureMode::LectureMode(Window& window, LecturePanel& panel, MarksLayer& marks)
    : QObject(&window.frame()),
      m_window(window),
      m_panel(panel),
      m_marks(marks),
      m_watch([this](auto lecture) { readAgain(std::move(lecture)); }),
      m_aside(window),
      m_shown(m_course, window, panel, marks),
      m_presentingWindow(window),
      m_blank(window.frame()),
      m_speaker(m_clock, window.frame()) {
  m_panel.hide();
  m_marks.hide();
  connect(&panel, &LecturePanel::nextAsked, this, &LectureMode::nextOrEnd);
  connect(&panel, &LecturePanel::previousAsked, this, &LectureMode::previous);
  connect(&panel, &LecturePanel::contentsAsked, this, &LectureMode::openContents);
  connect(&panel, &LecturePanel::backAsked, this, &LectureMode::resume);
  connect(&panel, &LecturePanel::closeAsked, this, &LectureMode::close);
  connect(&panel, &LecturePanel::chosen, this, &LectureMode::choose);
  connect(&panel, &LecturePanel::typed, this, &LectureMode::type);
  connect(&panel, &LecturePanel::hintAsked, this, &LectureMode::hint);
  connect(&panel, &LecturePanel::answerAsked, this, &LectureMode::answer);
  connect(&panel, &LecturePanel::solutionAsked, this, &LectureMode::solve);
  connect(&panel, &LecturePanel::onwardAsked, this, &LectureMode::goOnward);
  connect(&panel, &LecturePanel::editAsked, this, &LectureMode::editAsked);
  connect(&m_speaker, &SpeakerScreen::nextAsked, this, &LectureMode::nextOrEnd);
  connect(&m_speaker, &SpeakerScreen::previousAsked, this, &LectureMode::previous);
  connect(&m_shown, &ShownStep::compared, this, &LectureMode::judge);
  connect(&marks, &MarksLayer::inkChanged, this, &LectureMode::showSlide);
}

QString LectureMode::openNamed(const QString& name, Manner manner,
                               std::optional<std::size_t> step) {
  auto read = lecture::lectureNamed(name.toStdString());
  if (!read) return QString::fromStdString(read.error());
  if (!open(std::move(*read), step, manner)) return {};
  m_name = QFile::exists(name) ? QFileInfo(name).absoluteFilePath() : name;
  showSlide();  // the panel offers to edit it
  m_watch.begin(name);
  return {};
}

void LectureMode::readAgain(tl::expected<lecture::Lecture, std::string> lecture) {
  m_trouble = lecture ? QString() : QString::fromStdString(lecture.error());
  if (!lecture) return showSlide();
  const std::size_t shown = std::min(step(), lecture->steps.size() - 1);
  m_course.change(std::move(*lecture), shown);
  show();
}

bool LectureMode::open(lecture::Lecture lecture, std::optional<std::size_t> step, Manner manner) {
  if (!mayLeave()) return false;
  m_trouble.clear();
  m_watch.end();
  m_aside.set();
  const std::size_t kept = stepToContinueAt(lecture);
  const std::size_t last = lecture.steps.size() - 1;
  m_name = QString::fromStdString(lecture.id);
  m_course.begin(std::move(lecture), std::min(step.value_or(kept), last));
  m_clock = {};
  m_panel.show();
  m_marks.show();
  m_marks.raise();
  m_shown.begin();
  if (manner != Manner::Learning) {
    setPresenting(true, manner == Manner::Presenting);
    m_clock.begin(m_course.step());
  } else {
    setPresenting(false);
    m_panel.setManner(LecturePanel::Manner::Learning);
  }
  show();
  if (!step && kept > 0) {
    m_window.say(tr("Continued at step %1 of %2, where the lecture was left")
                     .arg(m_course.step() + 1)
                     .arg(last + 1));
  }
  return true;
}

// The question may end the editing.
bool LectureMode::mayLeave() {
  const std::function<bool()> ask = m_edited;
  return !ask || ask();
}

void LectureMode::preview(lecture::Lecture lecture, const QString& name, std::size_t step) {
  if (lecture.steps.empty()) return;
  step = std::min(step, lecture.steps.size() - 1);
  const bool sameScene = active() && this->step() == step && step < this->lecture()->steps.size() &&
                         sameBeginning(now(), lecture.steps[step]);
  m_watch.end();  // the editor has the file and its unsaved edits
  m_aside.set();
  m_name = name;
  m_trouble.clear();
  m_course.change(std::move(lecture), step);
  m_course.forgetAnswers();
  m_panel.show();
  m_marks.show();
  if (!sameScene) return show();
  m_shown.changeTexts();
  showSlide();
}

void LectureMode::close() {
  if (!active() || !mayLeave()) return;
  keepProgress();
  setPresenting(false);
  m_watch.end();
  m_speaker.close();
  setBlank(false);
  m_shown.end();
  m_marks.setTool(MarksLayer::Tool::None);
  m_marks.hide();
  m_panel.hide();
  m_course.end();
  m_aside.restore();
  emit closed();
}

void LectureMode::goTo(std::size_t step) {
  if (!active() || step >= lecture()->steps.size()) return;
  m_course.leaveStep();
  m_course.goTo(step);
  show();
}

void LectureMode::next() {
  if (!active()) return;
  if (!m_course.atLast()) return goTo(step() + 1);
  // The last picture stays on the screen: a key that is pressed once too often ends nothing.
  if (!m_presenting) m_window.say(tr("This is the last step"));
}

// A button: at the last step it ends the lecture, but not a presentation.
void LectureMode::nextOrEnd() {
  if (!active()) return;
  if (!m_course.atLast() || m_presenting) return next();
  m_course.leaveStep();
  close();
}

void LectureMode::previous() {
  if (active() && step() > 0) goTo(step() - 1);
}

void LectureMode::last() {
  if (active()) goTo(lecture()->steps.size() - 1);
}

void LectureMode::resume() {
  if (active()) show();
}

void LectureMode::show() {
  m_course.beginStep();
  m_shown.show();
  keepProgress();
  showSlide();
  m_clock.turnTo(step());
  emit stepShown();
}

void LectureMode::judge(const ViewState& state) {
  if (now().task && m_course.judge(factsInWindow(m_window, state), m_shown.facts(), left()))
    keepProgress();
  showSlide();
}

void LectureMode::showSlide() {
  if (!active()) return;
  const lecture::TileFacts facts = m_shown.facts();
  LectureSlide slide = slideOf(*lecture(), step(), facts, m_course.answer());
  slide.left = left();
  slide.trouble = m_trouble;
  slide.editable = !m_edited && QFile::exists(m_name);
  if (m_keysLine) slide.keys = m_keysLine();
  slide.onward = titleOf(onward());
  m_panel.setSlide(slide);
  if (speaker() != nullptr) speaker()->setPage(step(), speakerPageOf(*lecture(), step(), facts));
}

// An edited lecture has its own end.
std::string_view LectureMode::onward() const {
  return active() && !m_edited ? lectureAfter(*lecture(), step()) : std::string_view();
}

void LectureMode::goOnward() {
  if (const std::string_view next = onward(); !next.empty())
    openNamed(toQString(next), Manner::Learning, 0);
}

void LectureMode::choose(int choice) {
  if (!m_course.choose(choice)) return;
  keepProgress();
  showSlide();
}

void LectureMode::type(const QString& number) {
  if (!m_course.type(number)) return;
  keepProgress();
  showSlide();
}

void LectureMode::hint() {
  m_course.hint();
  showSlide();
}

void LectureMode::answer() {
  m_course.reveal();
  showSlide();
}

void LectureMode::solve() {
  if (!active() || !now().task) return;
  const ViewState& solution = now().task->solution.state;
  m_course.reveal();
  Explorer& explorer = m_window.explorer();
  explorer.setStage(*solution.stage);
  explorer.setTile(solution.tile);
  explorer.setProblem(solution.problem);
  showSlide();
}

void LectureMode::keepProgress() const {
  if (active() && !m_presenting && !m_edited) m_course.keep();
}

void LectureMode::present() {
  emit aboutToPresent();
  if (!active()) return emit lectureAsked();
  if (!m_presenting) setPresenting(true);
  show();
}

void LectureMode::setPresenting(bool presenting, bool screen) {
  if (presenting == m_presenting) return;
  m_presenting = presenting;
  m_panel.setManner(!presenting ? LecturePanel::Manner::Learning
                    : screen    ? LecturePanel::Manner::Presenting
                                : LecturePanel::Manner::Picture);
  if (presenting) {
    m_course.askAgain();
    m_clock.begin(step());
    m_presentingWindow.enter(screen);
  } else {
    m_marks.setTool(MarksLayer::Tool::None);
    setBlank(false);
    m_presentingWindow.leave();
  }
  m_marks.raise();
  emit presentingChanged(presenting);
  if (presenting) m_presentingWindow.focusLoom();
  m_window.services().listings.setAdvising(!presenting);
  if (presenting && screen && QGuiApplication::screens().size() > 1) showSpeaker(true);
}

void LectureMode::leave() {
  if (!m_presenting) return;
  // The areas that the step hides stay hidden: beside the panel of the lecture they would leave the
  // loom no room.
  const bool folded = m_window.middle().folded();
  const int lower = m_window.middle().lower();
  setPresenting(false);
  if (!folded) m_window.middle().setLower(lower);
  m_course.takeBack();
  m_shown.compare();  // perhaps nothing has changed yet
  showSlide();
}

void LectureMode::openContents() {
  if (!active()) return;
  contentsMenu(m_window.frame(), *lecture(), step(), m_shown.facts(), m_course.answers(),
               [this](std::size_t step) { goTo(step); })
      ->popup(m_panel.mapToGlobal(QPoint(20, 40)));
}

void LectureMode::showSpeaker(bool shown) {
  if (!shown || !active()) return m_speaker.close();
  m_speaker.open();
  showSlide();
}

void LectureMode::toggle(MarksLayer::Tool tool) {
  m_marks.setTool(m_marks.tool() == tool ? MarksLayer::Tool::None : tool);
}

}  // namespace tileloom
