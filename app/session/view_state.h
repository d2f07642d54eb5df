// SPDX-License-Identifier: GPL-3.0-or-later
// What the user has chosen to look at, as one plain value: undo keeps it, sessions and command
// lines write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "app/session/goal.h"
#include "kernels/tile/subject.h"
#include "viz/base/scene.h"

namespace tileloom {

// Large enough for the ladder's order to show on a large GPU, small enough for that of a laptop.
inline constexpr Problem kOpeningProblem{2048, 2048, 2048};

// The height of the pages below the loom, in percent of the height beside the panels, and its
// maximum.
inline constexpr int kUsualLower = 31, kMostLower = 70;
// The names of the panels beside the loom, and of the strip under it, on the command line.
inline constexpr std::string_view kLadderPanel = "ladder", kTilePanel = "tile", kTimeStrip = "time";
// The size of text, in percent of the usual one.
inline constexpr int kUsualText = 100, kMostText = 300;

// "vectorized:BM=128,…", which parsePinned() reads. A stage alone means its default tile.
std::string pinnedText(const Subject& pinned);
// In the usual format of the stage. Or one sentence without a full stop: no such stage, a tile that
// is not legal.
tl::expected<Subject, std::string> parsePinned(std::string_view text);

// The format of a stage while this one is chosen for 16-bit rungs.
Format formatOf(const Stage& stage, Format halves);
// The same tile in that format.
std::optional<Subject> inFormat(std::optional<Subject> pinned, Format halves);

struct ViewState {
  const Stage* stage = nullptr;
  TileShape tile;  // legal or not
  Problem problem;
  int row = 0, column = 0;  // an element of C in the block that is shown
  std::uint32_t warp = 0;
  std::uint32_t index = 0;  // of the instruction in the warp's stream
  // Where to go instead, once the recording is there; the index if it has no such instant. A file
  // names the index only.
  std::optional<Goal> goal = std::nullopt;
  Selection held;
  // A rung with a legal tile that the present one is compared with, at the same size and place.
  std::optional<Subject> pinned = std::nullopt;
  // The tile parameter that led to this tile, if one did: it explains an illegal tile. It is not a
  // choice of its own.
  std::optional<Parameter> moved = std::nullopt;
  // The element format of 16-bit rungs, Bf16 or Fp16: one choice for all of them. FP32 rungs ignore
  // and keep it.
  Format halves = Format::Bf16;

  Format format() const { return formatOf(*stage, halves); }

  // All but the instruction: undo does not revert playback.
  bool sameChoice(const ViewState& other) const {
    return stage == other.stage && tile == other.tile && problem == other.problem &&
           row == other.row && column == other.column && warp == other.warp && held == other.held &&
           pinned == other.pinned && halves == other.halves;
  }
};

inline ViewState openingView() {
  ViewState view;
  view.problem = kOpeningProblem;
  return view;
}

}  // namespace tileloom
