// SPDX-License-Identifier: GPL-3.0-or-later
// What the page Ring, the multistage pipeline, shows at one instant: a plain value.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "kernels/analysis/order/stage_ring.h"
#include "viz/base/scene.h"

namespace tileloom {

// The mbarrier of a stage, which counts arrivals and bytes.
struct RingBarrier {
  QString name;  // "full[1]"
  analysis::BarrierState state;
  std::vector<std::uint32_t> asleep;   // warps at a wait whose phase has not ended
  std::vector<std::uint32_t> passing;  // warps whose wait ends at this instant
};

struct RingStage {
  analysis::RingSlot slot;
  std::optional<RingBarrier> barrier;
  std::optional<analysis::RingEvent> next;  // the target of a click
};

struct RingData {
  std::vector<RingStage> stages;  // empty: `why` gives the reason
  QString why;
  std::uint32_t warp = 0;                // the watched one
  std::optional<std::uint32_t> reads;    // the stage that it read last
  std::optional<std::uint32_t> newest;   // the stage whose load was issued last
  std::optional<std::uint32_t> follows;  // and the one that comes after it
  std::optional<analysis::CopyGroups> copies;
  Format format = Format::Fp32;         // of the elements
  bool boxes = false;                   // TMA fills the stages
  bool products = false;                // wgmma reads them without registers
  std::uint32_t tiles = 0, traced = 0;  // K tiles of a run, and recorded ones
  bool passedOver = false;              // the instant is in the skipped K tiles, or after them

  bool ready() const { return !stages.empty(); }
};

// `ring` is of the scene's recording, at its moment; nullptr: no ring.
RingData ringData(const Scene& scene, const analysis::StageRing* ring);

// Why the rung has no ring, and what to do; empty: it has one.
QString whyNoRing(const Scene& scene);

}  // namespace tileloom
