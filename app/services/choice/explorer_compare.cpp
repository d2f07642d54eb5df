// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer's other half: a baseline that follows the present tile in lock step.
#include "app/services/choice/explorer.h"
#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/order/next_instruction.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/telling_difference.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

// The counterpart of a selection in the other side, whose block has this many threads: the same
// element; without one, the same thread of the block.
Selection acrossSides(const Selection& selection, std::uint32_t threads) {
  Selection same;
  same.element = selection.element;
  if (!same.element && selection.thread && *selection.thread < threads)
    same.thread = selection.thread;
  return same;
}

std::uint32_t threadsOf(const Scene& scene) {
  return scene.ready() ? scene.recording->trace.threads : 0;
}

}  // namespace

void Explorer::pin(const std::optional<Subject>& wanted) {
  const auto pinned = inFormat(wanted, m_halves);
  if (pinned == m_pinned) return;
  m_pinned = pinned;
  m_hoveredThere = m_heldThere = {};
  m_warpThere.reset();
  // A recording of this very tile is shown at once.
  const auto* trace = m_scene.ready() && !m_scene.stale ? &m_scene.recording->trace : nullptr;
  const bool shown = pinned && trace != nullptr && *trace == *pinned;
  m_baselineRecording = shown ? m_scene.recording : nullptr;
  retraceBaseline();
  publishBaseline();
  emit stateChanged();
}

void Explorer::pinThis() {
  if (!m_scene.ready()) return;
  // The shown tile: an illegal tile in the tile parameters cannot be pinned.
  pin(m_scene.recording->trace);
}

void Explorer::swapWithPinned() {
  if (!m_pinned || !m_scene.ready()) return;
  ViewState s = state();
  const auto& trace = m_scene.recording->trace;
  s.pinned = trace;
  s.stage = m_pinned->rung();
  s.tile = m_pinned->tile;
  s.held = {};
  if (m_baseline.ready()) {  // both stay where they are
    s.warp = m_baseline.moment.warp;
    s.index = m_baseline.moment.index;
    s.goal.reset();
  }
  setState(s);
}

void Explorer::compare(const Subject& baseline, const Subject& now) {
  ViewState s = state();
  if (s.stage != now.rung()) {
    s.held = {};
    s.warp = s.index = 0;
    s.goal.reset();
  }
  s.stage = now.rung();
  s.tile = now.tile;
  s.pinned = baseline;
  const bool opens = s.stage != m_stage;
  setState(s);
  if (opens) {
    m_destination.reset();  // at an access worth seeing
    m_opening = true;
  }
  showDifference();
}

void Explorer::showDifference() {
  m_seeksDifference = m_pinned.has_value();
  publishBaseline();
}

bool Explorer::bothAsAsked() const {
  // A requested recording brings its own place.
  if (!m_baseline.ready() || m_scene.stale || recording()) return false;
  const emulator::Trace &now = m_scene.recording->trace, &then = m_baseline.recording->trace;
  return now.rung() == m_stage && now.tile == m_tile && now.asked == m_problem &&
         then.rung() == m_pinned->rung() && then.tile == m_pinned->tile && then.asked == m_problem;
}

void Explorer::retraceBaseline() {
  if (!m_pinned) {
    m_baselineService.cancel();
    m_baselineRecording.reset();
    m_baseline = {};
    return;
  }
  if (const auto request = requestFor(*m_pinned->rung(), m_pinned->tile)) {
    m_baselineService.request(*request);
  } else {
    m_baselineService.cancel();
    m_baselineRecording.reset();  // of another size, which cannot be compared
  }
}

Selection Explorer::chosenInBaseline() const {
  const std::uint32_t threads = threadsOf(m_baseline);
  const bool hovers = !m_hovered.empty() || !m_hoveredThere.empty();
  Selection there = hovers ? m_hoveredThere : m_heldThere;
  if (there.thread && *there.thread >= threads) there.thread.reset();  // of a smaller block
  return there.empty() ? acrossSides(m_scene.selection, threads) : there;
}

const Scene& Explorer::pointedAt() const {
  const bool hovers = !m_hovered.empty() || !m_hoveredThere.empty();
  const Selection& there = hovers ? m_hoveredThere : m_heldThere;
  return m_baseline.ready() && !there.empty() ? m_baseline : m_scene;
}

void Explorer::hoverBaseline(const Selection& selection) {
  if (selection == m_hoveredThere && (!selection.empty() || m_hovered.empty())) return;
  m_hoveredThere = selection;
  m_hovered = acrossSides(complete(m_baseline, selection), threadsOf(m_scene));
  publish();
}

void Explorer::holdBaseline(const Selection& selection) {
  const bool again = selection == m_heldThere;
  m_heldThere = again ? Selection{} : selection;
  const Selection whole = complete(m_baseline, m_heldThere);
  m_held = acrossSides(whole, threadsOf(m_scene));
  m_warpThere.reset();
  if (whole.thread) m_warpThere = *whole.thread / emulator::kWarpSize;
  watchHeld();
}

void Explorer::goInBaseline(int warp, int index) {
  if (!m_baseline.ready()) return;
  const auto& trace = m_baselineRecording->trace;
  Place there{std::min(static_cast<std::uint32_t>(std::max(0, warp)), trace.warps - 1), 0};
  if (trace.length(there.warp) == 0) return;
  there.index =
      std::min(static_cast<std::uint32_t>(std::max(0, index)), trace.length(there.warp) - 1);
  const auto now =
      analysis::counterpart(*m_baselineRecording, there.warp, there.index, *m_scene.recording);
  m_gone = GoneThere{there, {now.warp, now.index}};
  show(now.warp, now.index);
  emit stateChanged();
}

void Explorer::goToNextInBaseline(std::uint32_t warp,
                                  const std::function<bool(const emulator::Instruction&)>& wanted) {
  if (!m_baseline.ready() || warp >= m_baselineRecording->trace.warps) return;
  const bool watched = warp == m_baseline.moment.warp;
  const auto found = analysis::nextInstruction(m_baselineRecording->trace, warp,
                                               watched ? m_baseline.moment.index + 1 : 0, wanted);
  if (found) goInBaseline(static_cast<int>(warp), static_cast<int>(*found));
}

void Explorer::goToBaselineLine(int line) {
  goToNextInBaseline(m_baseline.moment.warp,
                     [line](const emulator::Instruction& i) { return i.line == line; });
}

void Explorer::goToBaselineInstruction(int line, emulator::Kind kind, const QString& array) {
  if (!m_baseline.ready()) return;
  const auto& arrays = m_baselineRecording->trace.arrays;
  goToNextInBaseline(m_baseline.moment.warp, [&](const emulator::Instruction& i) {
    return i.line == line && i.kind == kind &&
           (!emulator::isMemory(kind) || arrays[i.array].name == array.toStdString());
  });
}

void Explorer::goToBaselineWarpsLine(int warp, int line) {
  goToNextInBaseline(static_cast<std::uint32_t>(std::max(0, warp)),
                     [line](const emulator::Instruction& i) { return i.line == line; });
}

void Explorer::setBaselineResidency(const std::optional<Residency>& residency) {
  if (residency == m_baselineResidency) return;
  m_baselineResidency = residency;
  if (m_baseline.ready()) publishBaseline();
}

void Explorer::publishBaseline() {
  m_baseline = {};
  m_inStep = true;
  if (m_pinned && m_baselineRecording && m_scene.ready()) {
    const Place now{m_scene.moment.warp, m_scene.moment.index};
    if (m_gone && (m_gone->now != now || m_scene.passed > 0)) m_gone.reset();
    auto at = analysis::counterpart(*m_scene.recording, now.warp, now.index, *m_baselineRecording,
                                    m_warpThere);
    if (m_gone) {
      at.sameStep = analysis::counterpart(*m_baselineRecording, m_gone->there.warp,
                                          m_gone->there.index, *m_scene.recording)
                        .sameStep;
      at.warp = m_gone->there.warp;
      at.index = m_gone->there.index;
    }
    m_baseline = makeScene(m_baselineRecording, at.warp, at.index);
    m_inStep = at.sameStep && at.warp == m_scene.moment.warp;
    // During playback, what glows in one loom glows in the other.
    m_baseline.recent = m_scene.recent;
    const auto unrecorded = [](const analysis::Recording& r) {
      return std::uint64_t{r.trace.kTiles} - r.trace.kTilesTraced;
    };
    if (m_scene.repeated > 0) {
      m_baseline.repeated = static_cast<std::uint32_t>(
          m_scene.repeated * unrecorded(*m_baselineRecording) / unrecorded(*m_scene.recording));
    }
    m_baseline.residency = m_baselineResidency;
    m_baseline.selection = complete(m_baseline, chosenInBaseline());
    m_baseline.held = m_scene.held || !m_heldThere.empty();
  }
  emit baselineChanged(m_baseline);
  if (m_seeksDifference && bothAsAsked()) {
    const std::uint32_t warp = m_scene.moment.warp;
    show(warp, analysis::tellingDifference(*m_baselineRecording, *m_scene.recording, warp));
  }
}

}  // namespace tileloom
