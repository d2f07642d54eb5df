// SPDX-License-Identifier: GPL-3.0-or-later
// What the view of the stage ring shows at one instant: a plain value.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "kernels/analysis/stage_ring.h"
#include "viz/base/scene.h"

namespace tileloom {

// A barrier that counts what comes into a stage.
struct RingBarrier {
  QString name;  // "full[1]"
  analysis::BarrierState state;
  std::vector<std::uint32_t> asleep;   // warps that stand at a wait whose phase has not ended
  std::vector<std::uint32_t> passing;  // warps whose wait ends at this instant
};

struct RingStage {
  analysis::RingSlot slot;
  std::optional<RingBarrier> barrier;
  std::optional<analysis::RingEvent> next;  // where a click leads
};

struct RingData {
  std::vector<RingStage> stages;  // empty: `why` says why
  QString why;
  std::uint32_t warp = 0;                // the watched one
  std::optional<std::uint32_t> reads;    // the stage that it has read last
  std::optional<std::uint32_t> newest;   // the stage that was asked for last
  std::optional<std::uint32_t> follows;  // and the one that comes after it
  std::optional<analysis::CopyGroups> copies;
  std::uint32_t bytes = 4;              // of an element
  bool boxes = false;                   // the copy engine fills the stages
  bool products = false;                // tensor cores read them without a warp's registers
  std::uint32_t tiles = 0, traced = 0;  // K tiles of a run, and recorded ones
  bool passedOver = false;              // playing is among those that were not recorded, or behind

  bool ready() const { return !stages.empty(); }
};

// `ring` is of the scene's recording and stands at its moment; nullptr where there is no ring.
RingData ringData(const Scene& scene, const analysis::StageRing* ring);

// Why the rung has no ring, and what to do; empty where it has one.
QString whyNoRing(const Scene& scene);

}  // namespace tileloom
