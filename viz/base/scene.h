// SPDX-License-Identifier: GPL-3.0-or-later
// What all views show at one instant. Plain values: a view gets a Scene and paints it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/analysis/moment.h"

namespace tileloom {

namespace analysis {
class Recording;
}  // namespace analysis

// One selection is shared by all views. Its parts are filled in as far as they are known.
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
  std::shared_ptr<const analysis::Recording> recording;  // nothing to show while it is null
  analysis::Moment moment;                               // the instruction being executed
  std::optional<analysis::Moment> access;  // the latest one of memory, for the bank view
  Selection selection;                     // hovered, or else held
  bool held = false;                       // the selection stays when the mouse leaves
  std::optional<Residency> residency;      // of the shown tile, where its registers are known
  bool stale = false;                      // the knobs ask for a tile that is not legal
  // How many of the latest instructions this picture stands for: 1 at rest, more while it plays.
  std::uint32_t recent = 1;
  // Playing passes over the K tiles between the last one recorded and the epilogue, which do the
  // same again: how many of them have gone by.
  std::uint32_t repeated = 0;
  // Of the time for which playing shows this instruction, with the K tiles that are passed over
  // after it, the share that has gone by; below 1, and 0 where somebody went to the instruction.
  double passed = 0;

  bool ready() const { return recording != nullptr; }
  std::uint32_t kTile() const;  // the traced K tile of this instant, the last one after all
  // The K tile that is being multiplied: kTile(), and those that were passed over.
  std::uint32_t shownTile() const { return kTile() + repeated; }
  // The K tile that this instruction's elements belong to, which may be a later one that is being
  // fetched; else kTile().
  std::uint32_t touchedTile() const;
  // A K tile of A or B, however far ahead; the part of it that lies in the matrix.
  analysis::Region tileOf(analysis::Matrix matrix, std::uint32_t tile) const;
  // Products that each sum has beyond those recorded, of the K tiles that were passed over.
  std::uint32_t productsPassedOver() const;
  // In the prologue, where some rungs fetch before the loop over K begins, and in the epilogue.
  bool beforeTiles() const;
  bool afterTiles() const;
  // The thread that stands for the warp: the selected one if it is of this warp, else its lane 0.
  std::uint32_t shownThread() const;
};

// The scene of instruction `index` of `warp`; both are clamped to what there is. If the warp has no
// instruction, because it is outside C, the first warp that has some takes its place.
Scene makeScene(std::shared_ptr<const analysis::Recording> recording, std::uint32_t warp,
                std::uint32_t index);

// Where a newly opened recording starts: at warp 0's access that tells most (telling_access.h).
std::uint32_t openingIndex(const analysis::Recording& recording);

// The selection with what follows from it: a shared word's element, an element's word and owner.
Selection complete(const Scene& scene, Selection selection);

}  // namespace tileloom
