// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer's other half: a baseline that follows the present tile in lock step.
#include "app/services/explorer.h"
#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/recording.h"

namespace tileloom {

void Explorer::pin(const std::optional<Pinned>& pinned) {
  if (pinned == m_pinned) return;
  m_pinned = pinned;
  // A recording of this very tile is shown at once.
  const auto* trace = m_scene.ready() && !m_scene.stale ? &m_scene.recording->trace : nullptr;
  const bool shown = pinned && trace != nullptr && trace->stage == pinned->stage &&
                     trace->tile == pinned->tile &&
                     trace->arithmetic == arithmeticOf(*pinned->stage, m_halves);
  m_baselineRecording = shown ? m_scene.recording : nullptr;
  retraceBaseline();
  publishBaseline();
  emit stateChanged();
}

void Explorer::pinThis() {
  if (!m_scene.ready()) return;
  // What is on the screen: an illegal tile in the knobs cannot be pinned.
  pin(Pinned{m_scene.recording->trace.stage, m_scene.recording->trace.tile});
}

void Explorer::swapWithPinned() {
  if (!m_pinned || !m_scene.ready()) return;
  const Pinned now{m_scene.recording->trace.stage, m_scene.recording->trace.tile};
  compare(now, *m_pinned);
}

void Explorer::compare(const Pinned& baseline, const Pinned& now) {
  ViewState s = state();
  if (s.stage != now.stage) {
    s.held = {};
    s.warp = s.index = 0;
  }
  s.stage = now.stage;
  s.tile = now.tile;
  s.pinned = baseline;
  const bool opens = s.stage != m_stage;
  setState(s);
  if (opens) {
    m_goal.reset();  // where there is something to see
    m_opening = true;
  }
}

void Explorer::retraceBaseline() {
  if (!m_pinned) {
    m_baselineService.cancel();
    m_baselineRecording.reset();
    m_baseline = {};
    return;
  }
  if (const auto request = requestFor(*m_pinned->stage, m_pinned->tile)) {
    m_baselineService.request(*request);
  } else {
    m_baselineService.cancel();
    m_baselineRecording.reset();  // of another size, which would be no comparison
  }
}

void Explorer::publishBaseline() {
  m_baseline = {};
  if (m_pinned && m_baselineRecording && m_scene.ready()) {
    const auto at = analysis::counterpart(*m_scene.recording, m_scene.moment.warp,
                                          m_scene.moment.index, *m_baselineRecording);
    m_baseline = makeScene(m_baselineRecording, at.warp, at.index);
    // While it plays, what glows in one loom glows in the other.
    m_baseline.recent = m_scene.recent;
    const auto unrecorded = [](const analysis::Recording& r) {
      return std::uint64_t{r.trace.kTiles} - r.trace.kTilesTraced;
    };
    if (m_scene.repeated > 0) {
      m_baseline.repeated = static_cast<std::uint32_t>(
          m_scene.repeated * unrecorded(*m_baselineRecording) / unrecorded(*m_scene.recording));
    }
    // The same element; without one, the same thread of the block.
    Selection same;
    same.element = m_scene.selection.element;
    const auto& thread = m_scene.selection.thread;
    if (!same.element && thread && *thread < m_baselineRecording->trace.threads)
      same.thread = thread;
    m_baseline.selection = complete(m_baseline, same);
    m_baseline.held = m_scene.held;
  }
  emit baselineChanged(m_baseline);
}

}  // namespace tileloom
