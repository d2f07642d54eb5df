// SPDX-License-Identifier: GPL-3.0-or-later
// What the user points at and what is held, in the present side.
#include "app/services/choice/explorer.h"
#include "kernels/analysis/recording.h"

namespace tileloom {

// A block without such a thread holds nothing; the next one may have it again.
Selection Explorer::heldHere() const {
  const bool none =
      m_held.thread && m_scene.ready() && *m_held.thread >= m_scene.recording->trace.threads;
  return none ? Selection{} : m_held;
}

void Explorer::hover(const Selection& selection) {
  if (selection == m_hovered && m_hoveredThere.empty()) return;
  m_hovered = selection;
  m_hoveredThere = {};
  publish();
}

void Explorer::hold(const Selection& selection) {
  m_held = selection == m_held ? Selection{} : selection;
  m_heldThere = {};
  m_warpThere.reset();
  watchHeld();
}

// Watching a thread means watching its warp.
void Explorer::watchHeld() {
  const auto thread = complete(m_scene, m_held).thread;
  if (thread && m_scene.ready() && *thread / emulator::kWarpSize != m_scene.moment.warp) {
    show(*thread / emulator::kWarpSize, m_scene.moment.index);
  } else {
    publish();
  }
  emit stateChanged();
}

}  // namespace tileloom
