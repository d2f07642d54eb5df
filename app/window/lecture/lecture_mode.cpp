// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_mode.h"

#include <QApplication>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QScreen>
#include <QTimer>
#include <algorithm>
#include <tuple>

#include "app/lecture/figures.h"
#include "app/lecture/lecture_check.h"
#include "app/lecture/lecture_files.h"
#include "app/lecture/lecture_reader.h"
#include "app/lecture/step_session.h"
#include "app/window/common/settings.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/sight.h"
#include "app/window/lecture/contents_menu.h"
#include "app/window/lecture/lecture_slides.h"
#include "app/window/lecture/speaker_window.h"
#include "app/window/window.h"
#include "kernels/analysis/recording.h"
#include "viz/base/text/last_word.h"
#include "viz/base/text/text.h"
#include "viz/lecture/lecture_panel.h"
#include "viz/lecture/marks_layer.h"
#include "viz/lecture/step_fade.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/parameter_panel.h"

namespace tileloom {
namespace {

using lecture::Lecture;
using lecture::Step;

constexpr int kFollowMs = 50;
constexpr std::string_view kAfterTheTour = "ladder";

// Empty: there is no such lecture.
QString titleOf(std::string_view lecture) {
  if (lecture.empty()) return {};
  const auto read = lecture::lectureNamed(lecture);
  return read ? QString::fromStdString(read->title) : QString();
}

// The editor below it has its own font size.
void endWatching(LectureMode& mode) {
  delete mode.findChild<QFileSystemWatcher*>(QString(), Qt::FindDirectChildrenOnly);
}

// Percent of the usual size of text with which a picture of this height, in pixels, is read from
// the last row: 120 at 1080, and in proportion. A small projector has large pixels.
int presentingText(int height) {
  return std::max(kUsualText, height / 90 * 10);
}

}  // namespace

std::string progressKey(const Lecture& lecture) {
  return "lectures/" + lecture.id;
}

std::size_t stepToContinueAt(const Lecture& lecture) {
  const int kept = Settings().number(progressKey(lecture)).value_or(0);
  const auto step = static_cast<std::size_t>(std::max(0, kept));
  return step + 1 < lecture.steps.size() ? step : 0;
}

LectureMode::LectureMode(Window& window, LecturePanel& panel, MarksLayer& marks)
    : QObject(&window.frame()),
      m_window(window),
      m_panel(panel),
      m_marks(marks),
      m_onGlass(window, marks) {
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
  Explorer& explorer = window.explorer();
  // The scene follows this signal: it must exist before its marks are placed.
  connect(&explorer, &Explorer::recordingChanged, this, &LectureMode::arrive, Qt::QueuedConnection);
  connect(&explorer, &Explorer::choiceChanged, this, &LectureMode::judge);
  connect(&explorer, &Explorer::sceneChanged, this, &LectureMode::showMarks);
  connect(&window.lab(), &Lab::kernelChanged, this, &LectureMode::judge);
  connect(&marks, &MarksLayer::inkChanged, this, &LectureMode::showSlide);
  // After the layouts below have followed.
  auto* followed = new QTimer(this);
  followed->setSingleShot(true);
  followed->setInterval(kFollowMs);
  connect(&marks, &MarksLayer::roomChanged, followed, qOverload<>(&QTimer::start));
  connect(followed, &QTimer::timeout, this, [this] { m_onGlass.reveal(); });
  connect(&window.lab(), &Lab::kernelChanged, this, [this] {
    if (m_lecture) m_onGlass.fillAgain(now(), [this] { return factsOfStep(); });
  });
}

LectureMode::~LectureMode() {
  delete m_speaker;
}

SpeakerWindow* LectureMode::speaker() const {
  return m_speaker;
}

QString LectureMode::openNamed(const QString& name, Manner manner,
                               std::optional<std::size_t> step) {
  auto read = lecture::lectureNamed(name.toStdString());
  if (!read) return QString::fromStdString(read.error());
  if (!open(std::move(*read), step, manner)) return {};
  m_name = QFile::exists(name) ? QFileInfo(name).absoluteFilePath() : name;
  showSlide();  // the panel offers to edit it
  // A file that another program saves is read again.
  endWatching(*this);
  if (!QFile::exists(name)) return {};
  auto* watcher = new QFileSystemWatcher({name}, this);
  connect(watcher, &QFileSystemWatcher::fileChanged, this, [this, name, watcher] {
    if (!watcher->files().contains(name)) watcher->addPath(name);  // an editor replaces the file
    auto again = lecture::lectureNamed(name.toStdString());
    m_trouble = again ? QString() : QString::fromStdString(again.error());
    if (!again) return showSlide();
    const std::size_t shown = std::min(m_step, again->steps.size() - 1);
    m_lecture = std::move(*again);
    m_step = shown;
    show();
  });
  return {};
}

bool LectureMode::open(Lecture lecture, std::optional<std::size_t> step, Manner manner) {
  if (!mayLeave()) return false;
  m_trouble.clear();
  endWatching(*this);
  setWindowAside();
  const std::size_t kept = stepToContinueAt(lecture);
  m_lecture = std::move(lecture);
  m_name = QString::fromStdString(m_lecture->id);
  m_answers.begin(*m_lecture);
  m_clock = {};
  m_step = std::min(step.value_or(kept), m_lecture->steps.size() - 1);
  m_panel.show();
  m_marks.show();
  m_marks.raise();
  m_left = false;
  if (manner != Manner::Learning) {
    setPresenting(true, manner == Manner::Presenting);
    m_clock.begin(m_step);
  } else {
    setPresenting(false);
    m_panel.setManner(LecturePanel::Manner::Learning);
  }
  show();
  if (!step && kept > 0) {
    m_window.say(tr("Continued at step %1 of %2, where the lecture was left")
                     .arg(m_step + 1)
                     .arg(m_lecture->steps.size()));
  }
  return true;
}

// Before the first step is shown: its choices must not become moves of the user.
void LectureMode::setWindowAside() {
  if (m_before) return;
  m_before = m_window.session();
  m_window.lab().setAside(true);
}

// The question may end the editing.
bool LectureMode::mayLeave() {
  const std::function<bool()> ask = m_edited;
  return !ask || ask();
}

void LectureMode::preview(Lecture lecture, const QString& name, std::size_t step) {
  if (lecture.steps.empty()) return;
  step = std::min(step, lecture.steps.size() - 1);
  const auto begins = [](const Lecture& of, std::size_t at) {
    const Step& s = of.steps[at];
    return std::tuple(s.instruction, s.at ? s.at->line : std::string(), s.at ? s.at->kTile : 0,
                      s.plays);
  };
  const bool sameScene = m_lecture && m_step == step && step < m_lecture->steps.size() &&
                         lecture::sameScene(now().session, lecture.steps[step].session) &&
                         begins(*m_lecture, step) == begins(lecture, step);
  endWatching(*this);  // the editor has the file and its unsaved edits
  setWindowAside();
  m_lecture = std::move(lecture);
  m_name = name;
  m_trouble.clear();
  m_step = step;
  m_answers.ask(*m_lecture);
  m_panel.show();
  m_marks.show();
  if (!sameScene) return show();
  // Only the texts differ.
  m_onGlass.forget();
  showMarks();
  judge();
  showSlide();
}

void LectureMode::close() {
  if (!m_lecture || !mayLeave()) return;
  keepProgress();
  setPresenting(false);
  endWatching(*this);
  closeSpeaker();
  setBlank(false);
  m_onGlass.clear();
  m_marks.clearInk();
  m_marks.setTool(MarksLayer::Tool::None);
  m_marks.hide();
  m_panel.hide();
  m_lecture.reset();
  m_arrived.reset();
  if (m_before) {
    Session before = *std::exchange(m_before, std::nullopt);
    before.theme = m_window.sight().look();
    before.text.reset();
    m_window.restore(before);
  }
  m_window.view<ParameterPanel>()->beginHere();
  m_window.beginUndoHere();
  m_window.lab().setAside(false);
  emit closed();
}

void LectureMode::goTo(std::size_t step) {
  if (!m_lecture || step >= m_lecture->steps.size()) return;
  m_answers.leave(m_step);
  m_step = step;
  show();
}

void LectureMode::next() {
  if (!m_lecture) return;
  if (m_step + 1 < m_lecture->steps.size()) return goTo(m_step + 1);
  // The last picture stays on the screen: a key that is pressed once too often ends nothing.
  if (!m_presenting) m_window.say(tr("This is the last step"));
}

// A button: at the last step it ends the lecture, but not a presentation.
void LectureMode::nextOrEnd() {
  if (!m_lecture) return;
  if (m_step + 1 < m_lecture->steps.size() || m_presenting) return next();
  m_answers.leave(m_step);
  close();
}

void LectureMode::previous() {
  if (m_lecture && m_step > 0) goTo(m_step - 1);
}

void LectureMode::first() {
  goTo(0);
}

void LectureMode::last() {
  if (m_lecture) goTo(m_lecture->steps.size() - 1);
}

bool LectureMode::answerable() const {
  return m_lecture && (now().question || now().task) && !m_answers.at(m_step).revealed &&
         !m_answers.at(m_step).done;
}

int LectureMode::choices() const {
  return answerable() && now().question && now().question->right
             ? static_cast<int>(now().question->choices.size())
             : 0;
}

void LectureMode::resume() {
  if (m_lecture) show();
}

// Ink belongs to one step, and marks as well.
void LectureMode::show() {
  const Step& step = now();
  m_left = false;
  m_arrived.reset();
  m_answers.show(m_step);
  const ViewState last = m_window.explorer().state();
  const QRect loomBefore = roomOfLoom();
  const bool moves = m_filmed || !m_window.sight().reducedMotion();
  const QPixmap before =
      moves && m_window.frame().isVisible() ? m_window.frame().grab() : QPixmap();
  m_marks.clearInk();
  m_onGlass.clear();
  Session session = step.session;
  session.theme = m_window.sight().look();
  session.text.reset();
  session.state.goal = lecture::goalOf(step);
  session.state.tile = lecture::recordedTile(step.session.state);
  auto* loom = m_window.view<LoomView>();
  const LoomLevel wanted = session.zoom;
  session.zoom = loom->level();
  m_window.restore(session);
  m_window.explorer().setTile(step.session.state.tile);
  // The tile parameters mark changes of the user, not those of the lecture.
  m_window.view<ParameterPanel>()->beginHere();
  m_window.beginUndoHere();
  m_window.lab().setAside(true);
  // The camera moves within one kernel; between two kernels the loom fades as well.
  const bool sameKernel = last.stage == session.state.stage && last.tile == session.state.tile &&
                          last.problem == session.state.problem;
  fade(before, sameKernel ? loomBefore : QRect());
  if (m_filmed) loom->setStill(false);
  loom->zoomTo(wanted, true, kPassMs);  // the camera moves
  if (m_filmed) passTo(0);
  keepProgress();
  showSlide();
  m_clock.turnTo(m_step);
  emit stepShown();
}

QRect LectureMode::roomOfLoom() const {
  const auto* loom = m_window.view<LoomView>();
  return {loom->mapTo(&m_window.frame(), QPoint()), loom->size()};
}

// Fades the pages, and the loom as well unless its place is unchanged. Texts change at once,
// because two texts over each other cannot be read.
void LectureMode::fade(const QPixmap& before, const QRect& loomBefore) {
  if (before.isNull()) return;
  if (!m_fade) m_fade = new StepFade(&m_window.frame());
  QRegion shown(QRect(m_panel.mapTo(&m_window.frame(), QPoint()), m_panel.size()));
  if (roomOfLoom() == loomBefore) shown += loomBefore;
  m_fade->start(before, shown);
}

void LectureMode::passTo(int ms) {
  if (m_fade) m_fade->hold(ms);
  m_window.view<LoomView>()->holdFlight(ms);
}

void LectureMode::arrive() {
  const Scene& scene = m_window.explorer().scene();
  if (!m_lecture || !scene.ready()) return;
  // Only the latest request counts, and it may be the user's by now.
  Explorer& explorer = m_window.explorer();
  if (explorer.recording()) return;
  if (m_arrived) {
    m_arrived->recording = scene.recording;
    showMarks();
    return judge();
  }
  m_arrived = Arrived{scene.recording};
  if (isOfStep(scene.recording->trace) && explorer.tile() == now().session.state.tile) {
    m_arrived->instant = scene.moment.index;
    // A share of the height: hidden bars or full screen have changed it.
    m_window.middle().setLower(now().session.lower);
    showMarks();
    if (now().plays && !m_window.sight().reducedMotion()) explorer.setPlaying(true);
  }
  judge();
}

bool LectureMode::isOfStep(const emulator::Trace& trace) const {
  const ViewState& state = now().session.state;
  return trace.rung() == state.stage && trace.tile == lecture::recordedTile(state) &&
         trace.asked == state.problem;
}

// A recording that has just arrived has no chosen instant yet.
void LectureMode::showMarks() {
  const Scene& scene = m_window.explorer().scene();
  if (!m_lecture || !m_arrived || !m_arrived->instant ||
      scene.recording != m_arrived->recording.lock())
    return;
  const bool ofStep = isOfStep(scene.recording->trace);
  m_onGlass.show(
      now(), [this] { return factsOfStep(); }, ofStep,
      ofStep && scene.moment.index == *m_arrived->instant);
}

lecture::TileFacts LectureMode::factsOf(const ViewState& state) const {
  const auto kernel = m_window.lab().kernelOf({state.stage, state.tile, state.format()});
  std::optional<int> registers;
  if (kernel && kernel->registers > 0) registers = kernel->registers;
  const Scene& scene = m_window.explorer().scene();
  const bool shown = scene.ready() && scene.recording->trace.rung() == state.stage &&
                     scene.recording->trace.tile == state.tile &&
                     scene.recording->trace.asked == state.problem;
  Session session;
  session.state = state;
  return lecture::factsOf(session, shown ? scene.recording.get() : nullptr, registers);
}

lecture::TileFacts LectureMode::factsOfStep() const {
  return factsOf(now().session.state);
}

lecture::TileFacts LectureMode::factsOfWindow() const {
  return factsOf(m_window.explorer().state());
}

// Whether the window still shows the step, and the state of its task.
void LectureMode::judge() {
  if (!m_lecture || !m_arrived) return;
  const ViewState& wanted = now().session.state;
  const ViewState state = m_window.explorer().state();
  const bool left = state.stage != wanted.stage || !(state.tile == wanted.tile) ||
                    !(state.problem == wanted.problem);
  m_left = left;
  if (now().task) {
    const bool done = m_answers.at(m_step).done;
    m_answers.judge(m_step, *now().task, factsOfWindow(), factsOfStep(), left);
    if (m_answers.at(m_step).done != done) keepProgress();
  }
  showSlide();
}

void LectureMode::showSlide() {
  if (!m_lecture) return;
  const lecture::TileFacts facts = factsOfStep();
  LectureSlide slide = slideOf(*m_lecture, m_step, facts, m_answers.at(m_step));
  slide.left = m_left;
  slide.trouble = m_trouble;
  slide.editable = !m_edited && QFile::exists(m_name);
  if (m_keysLine) slide.keys = m_keysLine();
  slide.onward = titleOf(onward());
  m_panel.setSlide(slide);
  if (m_speaker) m_speaker->setPage(m_step, speakerPageOf(*m_lecture, m_step, facts));
}

// The tour ends with a lecture to begin with; an edited one has its own end.
std::string_view LectureMode::onward() const {
  const bool tour = m_lecture && m_lecture->id == lecture::kShowMeAround && !m_edited;
  return tour && m_step + 1 == m_lecture->steps.size() ? kAfterTheTour : std::string_view();
}

void LectureMode::goOnward() {
  if (const std::string_view next = onward(); !next.empty())
    openNamed(toQString(next), Manner::Learning, 0);
}

void LectureMode::choose(int choice) {
  if (!m_lecture || !now().question) return;
  m_answers.choose(m_step, *now().question, choice);
  keepProgress();
  showSlide();
}

void LectureMode::type(const QString& number) {
  if (!m_lecture || !now().question) return;
  m_answers.type(m_step, *now().question, number);
  keepProgress();
  showSlide();
}

void LectureMode::hint() {
  m_answers.hint(m_step);
  showSlide();
}

void LectureMode::answer() {
  m_answers.reveal(m_step);
  showSlide();
}

void LectureMode::solve() {
  if (!m_lecture || !now().task) return;
  const ViewState& solution = now().task->solution.state;
  m_answers.reveal(m_step);
  Explorer& explorer = m_window.explorer();
  explorer.setStage(*solution.stage);
  explorer.setTile(solution.tile);
  explorer.setProblem(solution.problem);
  showSlide();
}

void LectureMode::keepProgress() const {
  if (!m_lecture || m_presenting || m_edited) return;
  Settings().set(progressKey(*m_lecture), static_cast<int>(m_step));
  m_answers.keep(*m_lecture);
}

void LectureMode::present() {
  emit aboutToPresent();
  if (!m_lecture) return emit lectureAsked();
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
    m_answersBefore = m_answers;
    m_answers.ask(*m_lecture);
    m_clock.begin(m_step);
    m_textBefore = m_window.sight().textSize();
    const int height =
        screen ? m_window.frame().screen()->geometry().height() : m_window.frame().height();
    m_window.sight().setTextSize(std::max(m_textBefore, presentingText(height)));
  } else {
    m_window.sight().setTextSize(m_textBefore);
    m_marks.setTool(MarksLayer::Tool::None);
    setBlank(false);
  }
  m_window.layouts().setPresenting(presenting, screen);
  m_marks.raise();
  emit presentingChanged(presenting);
  // Keys apply to the lecture and the views, not to a field that had the focus.
  if (presenting) {
    QWidget& loom = *m_window.pages().front()->focusTarget();
    loom.clearFocus();  // a focus by the keyboard has a frame, which a presentation does not need
    loom.setFocus(Qt::OtherFocusReason);
  }
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
  m_answers.takeBack(m_answersBefore);
  judge();  // perhaps nothing has changed yet
  showSlide();
}

void LectureMode::setBlank(bool blank) {
  if (blank == this->blank()) return;
  if (!blank) {
    retire(*m_blank);
    m_blank = nullptr;
    return;
  }
  m_blank = new QWidget(&m_window.frame());
  m_blank->setObjectName(QStringLiteral("blank"));
  m_blank->setAutoFillBackground(true);
  QPalette black = m_blank->palette();
  black.setColor(QPalette::Window, Qt::black);
  m_blank->setPalette(black);
  m_blank->setGeometry(m_window.frame().rect());
  m_blank->show();
  m_blank->raise();
}

void LectureMode::openContents() {
  if (!m_lecture) return;
  contentsMenu(m_window.frame(), *m_lecture, m_step, factsOfStep(), m_answers,
               [this](std::size_t step) { goTo(step); })
      ->popup(m_panel.mapToGlobal(QPoint(20, 40)));
}

// Its own button may end the lecture.
void LectureMode::closeSpeaker() {
  if (!m_speaker) return;
  retire(*m_speaker);
  m_speaker = nullptr;
}

// On a second screen, if there is one.
void LectureMode::showSpeaker(bool shown) {
  if (!shown || !m_lecture) return closeSpeaker();
  if (!m_speaker) {
    m_speaker = new SpeakerWindow(m_clock, &m_window.frame());
    m_speaker->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_speaker, &SpeakerWindow::nextAsked, this, &LectureMode::nextOrEnd);
    connect(m_speaker, &SpeakerWindow::previousAsked, this, &LectureMode::previous);
    for (const QScreen* screen : QGuiApplication::screens()) {
      if (screen == m_window.frame().screen()) continue;
      m_speaker->setGeometry(screen->availableGeometry());
      break;
    }
  }
  m_speaker->show();
  showSlide();
}

void LectureMode::clearInk() {
  m_marks.clearInk();
}

void LectureMode::toggle(MarksLayer::Tool tool) {
  m_marks.setTool(m_marks.tool() == tool ? MarksLayer::Tool::None : tool);
}

}  // namespace tileloom
