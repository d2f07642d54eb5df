// SPDX-License-Identifier: GPL-3.0-or-later
// The state that all views show at one instant, as plain values: a view gets a Scene and paints it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/analysis/moment.h"

namespace tileloom {

namespace analysis {
class Recording;
}  // namespace analysis

// The selection that all views share. Unknown parts are empty.
struct Selection {
  std::optional<std::uint32_t> thread;       // linear in the block
  std::optional<analysis::Element> element;  // of A, B or C
  std::optional<analysis::SharedWord> word;  // of shared memory

  bool empty() const { return !thread && !element && !word; }
  bool operator==(const Selection&) const = default;
};

// How many blocks of a kernel a GPU holds at once.
struct Residency {
  int sms = 0;
  int blocksPerSm = 0;
  std::string device;  // "NVIDIA H100 80GB HBM3"
  int blocks() const { return sms * blocksPerSm; }
  bool operator==(const Residency&) const = default;
};

struct Scene {
  std::shared_ptr<const analysis::Recording> recording;  // nullptr: nothing to show
  analysis::Moment moment;                               // the instruction being executed
  std::optional<analysis::Moment> access;  // the latest memory access, for the bank view
  Selection selection;                     // hovered, or else held
  bool held = false;                       // the selection stays when the mouse leaves
  std::optional<Residency> residency;  // of the shown tile; std::nullopt: its registers are unknown
  bool stale = false;                  // the tile parameters are not legal
  // How many of the latest instructions this picture shows: 1 at rest, more while it plays.
  std::uint32_t recent = 1;
  // Playback skips the K tiles between the last recorded one and the epilogue, which repeat it: how
  // many have been skipped.
  std::uint32_t repeated = 0;
  // Elapsed share of the time for which playback shows this instruction and the skipped K tiles
  // after it; below 1. 0: not reached by playback.
  double passed = 0;

  bool ready() const { return recording != nullptr; }
  std::uint32_t kTile() const;  // the traced K tile of this instant; in the epilogue the last one
  // The K tile that is being multiplied: kTile() plus the skipped ones.
  std::uint32_t shownTile() const { return kTile() + repeated; }
  // The K tile of this instruction's elements, which may be a prefetched later one; else kTile().
  std::uint32_t touchedTile() const;
  // A K tile of A or B, at any distance ahead; the part of it that is inside the matrix.
  analysis::Region tileOf(analysis::Matrix matrix, std::uint32_t tile) const;
  // Products that the skipped K tiles add to each sum beyond the recorded ones.
  std::uint32_t productsPassedOver() const;
  // Whether it is in the prologue, where some rungs prefetch before the main loop.
  bool beforeTiles() const;
  bool afterTiles() const;
  // The thread that represents the warp: the selected one if it is of this warp, else its lane 0.
  std::uint32_t shownThread() const;
};

// The scene of instruction `index` of `warp`; both are clamped to what there is. If the warp has no
// instructions because it is outside C, the first warp that has some replaces it.
Scene makeScene(std::shared_ptr<const analysis::Recording> recording, std::uint32_t warp,
                std::uint32_t index);

// Where a newly opened recording starts: at the most instructive access of warp 0
// (telling_access.h).
std::uint32_t openingIndex(const analysis::Recording& recording);

// The selection with what follows from it: a shared word's element, an element's word and owner.
Selection complete(const Scene& scene, Selection selection);

}  // namespace tileloom
