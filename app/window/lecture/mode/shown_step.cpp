// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/shown_step.h"

#include <QTimer>

#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/sight.h"
#include "app/window/lecture/mode/facts_in_window.h"
#include "app/window/lecture/mode/lecture_course.h"
#include "app/window/window.h"
#include "kernels/analysis/recording.h"
#include "viz/lecture/marks_layer.h"

namespace tileloom {
namespace {

constexpr int kFollowMs = 50;

}  // namespace

ShownStep::ShownStep(const LectureCourse& course, Window& window, const QWidget& words,
                     MarksLayer& marks)
    : m_course(course),
      m_window(window),
      m_marks(marks),
      m_onGlass(window, marks),
      m_passage(window, words) {
  Explorer& explorer = window.explorer();
  // The scene follows this signal: it must exist before its marks are placed.
  connect(&explorer, &Explorer::recordingChanged, this, &ShownStep::arrive, Qt::QueuedConnection);
  connect(&explorer, &Explorer::choiceChanged, this, &ShownStep::compare);
  connect(&explorer, &Explorer::sceneChanged, this, &ShownStep::showMarks);
  connect(&window.lab(), &Lab::kernelChanged, this, &ShownStep::compare);
  // After the layouts below have followed.
  auto* followed = new QTimer(this);
  followed->setSingleShot(true);
  followed->setInterval(kFollowMs);
  connect(&marks, &MarksLayer::roomChanged, followed, qOverload<>(&QTimer::start));
  connect(followed, &QTimer::timeout, this, [this] { m_onGlass.reveal(); });
  connect(&window.lab(), &Lab::kernelChanged, this, [this] {
    if (m_course.lecture() != nullptr)
      m_onGlass.fillAgain(m_course.now(), [this] { return facts(); });
  });
}

void ShownStep::show() {
  m_left = false;
  m_arrival.await();
  const StepPassage::Before before = m_passage.before();
  m_marks.clearInk();
  m_onGlass.clear();
  m_passage.show(m_course.now(), before);
}

void ShownStep::changeTexts() {
  m_onGlass.forget();
  showMarks();
  compare();
}

void ShownStep::end() {
  m_onGlass.clear();
  m_marks.clearInk();
  m_arrival.await();
}

void ShownStep::arrive() {
  Explorer& explorer = m_window.explorer();
  const Scene& scene = explorer.scene();
  // Only the latest request counts, and it may be the user's by now.
  if (m_course.lecture() == nullptr || !scene.ready() || explorer.recording()) return;
  const lecture::Step& step = m_course.now();
  const bool begins = m_arrival.take(scene, step, explorer.tile());
  // A share of the height: hidden bars or full screen have changed it.
  if (begins) m_window.middle().setLower(step.session.lower);
  showMarks();
  if (begins && step.plays && !m_window.sight().reducedMotion()) explorer.setPlaying(true);
  compare();
}

void ShownStep::showMarks() {
  const Scene& scene = m_window.explorer().scene();
  if (m_course.lecture() == nullptr || !m_arrival.showsLatest(scene)) return;
  const bool ofStep = isRecordingOf(m_course.now(), scene.recording->trace);
  m_onGlass.show(
      m_course.now(), [this] { return facts(); }, ofStep,
      ofStep && m_arrival.beganAt(scene.moment.index));
}

lecture::TileFacts ShownStep::facts() const {
  return factsInWindow(m_window, m_course.now().session.state);
}

void ShownStep::compare() {
  if (m_course.lecture() == nullptr || !m_arrival.here()) return;
  const ViewState& wanted = m_course.now().session.state;
  const ViewState state = m_window.explorer().state();
  m_left = state.stage != wanted.stage || !(state.tile == wanted.tile) ||
           !(state.problem == wanted.problem);
  emit compared(state);
}

}  // namespace tileloom
