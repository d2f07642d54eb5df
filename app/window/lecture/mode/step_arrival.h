// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the recording of a lecture's step has arrived in the window, and the instant of it that
// the step begins at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/lecture/lecture.h"
#include "viz/base/scene.h"

namespace tileloom {

// Whether a recording is of the kernel that the step shows.
bool isRecordingOf(const lecture::Step& step, const emulator::Trace& trace);

class StepArrival {
 public:
  // A step is shown from its beginning, and its recording is requested.
  void await() { *this = {}; }
  // The scene has a new recording, the latest requested. `chosen` is the tile in the window, legal
  // or not. Whether the step begins now; otherwise it began before, or the user has left it before.
  bool take(const Scene& scene, const lecture::Step& step, const TileShape& chosen);

  bool here() const { return m_here; }
  // Whether the step has begun and the scene shows the recording that was taken last. A recording
  // that has just arrived in the scene has no chosen instant yet.
  bool showsLatest(const Scene& scene) const;
  // Whether this is the instruction that the step began at.
  bool beganAt(std::uint32_t instruction) const { return m_instant == instruction; }

 private:
  bool m_here = false;
  std::weak_ptr<const analysis::Recording> m_latest;
  std::optional<std::uint32_t> m_instant;  // std::nullopt: the step has not begun
};

}  // namespace tileloom
