// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/step_arrival.h"

#include "app/lecture/lecture_check.h"
#include "kernels/analysis/recording.h"

namespace tileloom {

bool isRecordingOf(const lecture::Step& step, const emulator::Trace& trace) {
  const ViewState& state = step.session.state;
  return trace.rung() == state.stage && trace.tile == lecture::recordedTile(state) &&
         trace.asked == state.problem;
}

bool StepArrival::take(const Scene& scene, const lecture::Step& step, const TileShape& chosen) {
  const bool first = !m_here;
  m_here = true;
  m_latest = scene.recording;
  if (!first || !isRecordingOf(step, scene.recording->trace) ||
      !(chosen == step.session.state.tile))
    return false;
  m_instant = scene.moment.index;
  return true;
}

bool StepArrival::showsLatest(const Scene& scene) const {
  return m_instant && scene.recording == m_latest.lock();
}

}  // namespace tileloom
