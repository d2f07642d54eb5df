// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/facts_in_window.h"

#include <optional>

#include "app/lecture/lecture_check.h"
#include "app/window/window.h"
#include "kernels/analysis/recording.h"

namespace tileloom {

lecture::TileFacts factsInWindow(Window& window, const ViewState& state) {
  const auto kernel = window.lab().kernelOf({state.stage, state.tile, state.format()});
  std::optional<int> registers;
  if (kernel && kernel->registers > 0) registers = kernel->registers;
  const Scene& scene = window.explorer().scene();
  const bool shown = scene.ready() && scene.recording->trace.rung() == state.stage &&
                     scene.recording->trace.tile == state.tile &&
                     scene.recording->trace.asked == state.problem;
  Session session;
  session.state = state;
  return lecture::factsOf(session, shown ? scene.recording.get() : nullptr, registers);
}

}  // namespace tileloom
