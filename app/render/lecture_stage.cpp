// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_stage.h"

#include <QCoreApplication>

#include "app/lecture/figures.h"
#include "app/lecture/lecture_check.h"
#include "app/window/frame/sight.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/quiet.h"
#include "kernels/analysis/order/progress.h"
#include "viz/base/paint/vector_widget.h"
#include "viz/base/widgets/pace.h"
#include "viz/lecture/lecture_panel.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureStage)
};

}  // namespace

LectureStage::LectureStage(const Lecture& lecture, const ExportSetup& setup)
    : m_window(LabSetup{{}, {}, false}), m_lecture(lecture), m_size(setup.size) {
  m_window.resize(setup.size);
  m_window.sight().setLook(setup.look);
  m_window.sight().setReducedMotion(true);  // no animation runs while a picture is taken
  m_window.show();
  m_window.lecture().open(lecture, 0, LectureMode::Manner::Picture);
  m_window.resize(setup.size);
}

QImage LectureStage::at(std::size_t step) {
  goTo(step);
  if (m_image.isNull()) m_image = picture();
  return m_image;
}

const MainWindow& LectureStage::windowAt(std::size_t step) {
  goTo(step);
  return m_window;
}

void LectureStage::paint(std::size_t step, QPainter& painter) {
  goTo(step);
  paintVectors(painter, m_window);
  check();
}

void LectureStage::showWords(bool shown) {
  m_window.findChild<LecturePanel*>()->setVisible(shown);
  m_at = static_cast<std::size_t>(-1);
}

void LectureStage::pass(std::size_t step) {
  m_window.lecture().setFilmed(true);
  m_window.lecture().goTo(step);
  settle();
  m_at = static_cast<std::size_t>(-1);
}

QImage LectureStage::passed(int ms) {
  m_window.lecture().passTo(ms);
  return picture();
}

bool LectureStage::play(double seconds) {
  return m_window.explorer().playOn(seconds);
}

QImage LectureStage::picture() {
  const QImage image = windowImage(m_window, 1);
  check();
  return image;
}

StepText LectureStage::textOf(std::size_t number) const {
  const Step& step = m_lecture.steps[number];
  const auto recording = recordingOf(step.session);
  const TileFacts facts = factsOf(step.session, recording.get());
  const auto text = [&facts](const std::string& words) {
    return QString::fromStdString(filled(words, facts));
  };
  StepText all{text(step.headline), text(step.text), {}, {}, {}};
  for (const std::string& note : step.notes) all.notes += text(note);
  if (step.question) {
    all.asks = text(step.question->asks);
    for (const std::string& choice : step.question->choices)
      all.asks += QStringLiteral("\n• ") + QString::fromStdString(choice);
    all.answer = text(step.question->answer);
  } else if (step.task) {
    all.asks = text(step.task->asks);
    all.answer = text(step.task->answer);
  }
  return all;
}

// The step as it begins, or some time later if it plays from an empty tile on, with everything in
// it finished.
void LectureStage::goTo(std::size_t step) {
  if (step == m_at) return;
  m_window.lecture().setFilmed(false);
  m_window.lecture().goTo(step);
  settle();
  if (m_lecture.steps[step].plays && allSumsAreEmpty()) playAWhile();
  m_at = step;
  m_image = {};
}

bool LectureStage::allSumsAreEmpty() {
  const Scene& scene = m_window.explorer().scene();
  if (!scene.ready()) return false;
  analysis::Progress progress(scene.recording);
  progress.goTo(scene.moment.warp, scene.moment.index);
  return progress.fewestProducts() + scene.productsPassedOver() == 0;
}

// A picture of a step that begins with an empty tile shows the subject of its words: sums that have
// grown.
void LectureStage::playAWhile() {
  constexpr double kTiles = 0.7;
  Explorer& explorer = m_window.explorer();
  explorer.playOn(kTiles * secondsPerTile(explorer.pace()));
  settle();
}

// After the window is painted, which may have made it grow.
void LectureStage::check() {
  if (m_window.size() == m_size || !m_problem.isEmpty()) return;
  m_problem = Words::tr("the window of step %1 needs %2 x %3 pixels: choose a larger --size")
                  .arg(m_window.lecture().step() + 1)
                  .arg(m_window.width())
                  .arg(m_window.height());
}

// Until everything in the step is finished.
void LectureStage::settle() {
  waitUntilQuiet(m_window);
  if (m_window.size() == m_size) return;
  // It had to grow for a while, and does not shrink by itself.
  m_window.resize(m_size);
  waitUntilQuiet(m_window);
}

}  // namespace tileloom::lecture
