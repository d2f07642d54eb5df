// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/step_passage.h"

#include <string>
#include <tuple>

#include "app/lecture/lecture_check.h"
#include "app/lecture/step_session.h"
#include "app/window/frame/sight.h"
#include "app/window/window.h"
#include "viz/lecture/step_fade.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/parameter_panel.h"

namespace tileloom {

bool sameBeginning(const lecture::Step& a, const lecture::Step& b) {
  const auto begins = [](const lecture::Step& s) {
    return std::tuple(s.instruction, s.at ? s.at->line : std::string(), s.at ? s.at->kTile : 0,
                      s.plays);
  };
  return lecture::sameScene(a.session, b.session) && begins(a) == begins(b);
}

StepPassage::Before StepPassage::before() const {
  const bool moves = m_filmed || !m_window.sight().reducedMotion();
  return {m_window.explorer().state(), roomOfLoom(),
          moves && m_window.frame().isVisible() ? m_window.frame().grab() : QPixmap()};
}

void StepPassage::show(const lecture::Step& step, const Before& before) {
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
  const ViewState& last = before.state;
  const bool sameKernel = last.stage == session.state.stage && last.tile == session.state.tile &&
                          last.problem == session.state.problem;
  fade(before.picture, sameKernel ? before.loom : QRect());
  if (m_filmed) loom->setStill(false);
  loom->zoomTo(wanted, true, kMs);  // the camera moves
  if (m_filmed) passTo(0);
}

QRect StepPassage::roomOfLoom() const {
  const auto* loom = m_window.view<LoomView>();
  return {loom->mapTo(&m_window.frame(), QPoint()), loom->size()};
}

// Fades the pages, and the loom as well unless its place is unchanged. Texts change at once,
// because two texts over each other cannot be read.
void StepPassage::fade(const QPixmap& before, const QRect& loomBefore) {
  if (before.isNull()) return;
  if (!m_fade) m_fade = new StepFade(&m_window.frame());
  QRegion shown(QRect(m_words.mapTo(&m_window.frame(), QPoint()), m_words.size()));
  if (roomOfLoom() == loomBefore) shown += loomBefore;
  m_fade->start(before, shown);
}

void StepPassage::passTo(int ms) {
  if (m_fade) m_fade->hold(ms);
  m_window.view<LoomView>()->holdFlight(ms);
}

}  // namespace tileloom
