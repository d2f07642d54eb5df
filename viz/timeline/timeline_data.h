// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline shows, as plain values.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/tile/stage.h"
#include "kernels/timeline/beside.h"
#include "kernels/timeline/seam.h"
#include "kernels/timeline/timeline.h"

namespace tileloom {

// SM cycles from the launch, the first and the last that are shown.
struct CycleSpan {
  int from = 0, to = 0;
  bool operator==(const CycleSpan&) const = default;
};
// "1200:4800", and back; the error is a sentence without a full stop.
std::string cyclesText(const CycleSpan& span);
tl::expected<CycleSpan, std::string> parseCycles(std::string_view text);

inline constexpr int kMostDelay = 2000;      // cycles that memory can be made slower by
inline constexpr int kMostVaries = 4000;     // and by which it can vary
inline constexpr int kMostCycles = 1 << 28;  // that a session can name

struct TimelineData {
  std::shared_ptr<const timeline::Timeline> timeline;  // null: `trouble` says why
  const Stage* stage = nullptr;
  TileShape tile;
  std::uint32_t warp = 0;         // that is watched
  std::uint32_t instruction = 0;  // of it, in the timeline's trace
  std::optional<double> now;      // when that instruction is issued
  // The K tile in whose turn of the loop it stands: as the loom names it. What is multiplied at
  // that time may be an earlier one.
  std::optional<std::uint32_t> turn;
  bool passedOver = false;  // playing passes over that K tile, whose like is shown
  int delay = 0;            // cycles that memory takes longer
  int varies = 0;           // and up to so many more, for each K tile of A and of B another
  double usualCycles = 0;   // per K tile, with the usual latency
  // Of the K tiles that are shown where nobody has chosen a span.
  double usualBegin = 0, usualEnd = 0;
  int k = 0;  // of the problem; 0: not known
  // Where it is about what is between two tiles of C; then also the K tiles of the problem.
  std::optional<timeline::Seam> seam;
  int kTiles = 0;
  bool guessed = false;  // how many blocks share an SM is estimated: no compiler has told
  QString device;        // that the rates are of
  QString limit;         // of the whole launch, "DRAM, 73 % of the time"; may be empty
  QString remark;        // where the prediction of the tile panel says otherwise
  QString trouble;       // why there is nothing to show, as a sentence
  bool waiting = false;  // for the recording
  bool brief = false;    // without legend and remark: another timeline has them
  // What a block of the same tile has stamped on a GPU; null: `noStamps` says why, as a sentence.
  std::shared_ptr<const timeline::Beside> beside;
  QString noStamps;
  bool measured = false;  // it is `beside` that is shown, and not what is predicted
  bool legend = true;     // false: another timeline on the same axis has it
  bool cycles = true;     // the axis names cycles; false: another timeline above has named them
  QString title;          // which of two it is that are compared; empty: it stands alone

  bool ready() const { return timeline != nullptr; }
  bool namesCycles() const { return cycles && !measured; }
};

// So that it is about what is between two tiles of C, with this K of the problem. The timeline must
// be of two block tiles.
void showSeam(TimelineData& data, int k);

// The stamped timeline over the predicted one's axis, as something to show; `predicted` must have
// one beside it.
TimelineData measuredData(const TimelineData& predicted);

// So that the K tile at which both are laid upon each other stands amid what is usually shown; the
// legend stands below what is measured.
void makeRoomForMeasured(TimelineData& predicted);

// What is shown where nobody has chosen: the launch and the first K tiles.
CycleSpan usualSpan(const TimelineData& data);
// How many K tiles that are.
inline constexpr std::uint32_t kTilesShown = 4;

}  // namespace tileloom
