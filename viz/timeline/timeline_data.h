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
#include "kernels/tile/subject.h"
#include "kernels/timeline/beside.h"
#include "kernels/timeline/seam.h"
#include "kernels/timeline/timeline.h"

namespace tileloom {

// The first and the last shown SM cycle, counted from the launch.
struct CycleSpan {
  int from = 0, to = 0;
  bool operator==(const CycleSpan&) const = default;
};
// "1200:4800", and back; the error is a sentence without a full stop.
std::string cyclesText(const CycleSpan& span);
tl::expected<CycleSpan, std::string> parseCycles(std::string_view text);

inline constexpr int kMostDelay = 2000;      // the most cycles that memory can be made slower by
inline constexpr int kMostVaries = 4000;     // and by which it can vary
inline constexpr int kMostCycles = 1 << 28;  // that a session can name

struct TimelineData : Subject {
  std::shared_ptr<const timeline::Timeline> timeline;  // null: `trouble` gives the reason
  std::uint32_t warp = 0;                              // that is watched
  std::uint32_t instruction = 0;                       // of it, in the timeline's trace
  std::optional<double> now;                           // when that instruction is issued
  // The K tile of its iteration of the main loop, as in the loom. The K tile that is multiplied at
  // that time may be an earlier one.
  std::optional<std::uint32_t> turn;
  bool passedOver = false;  // that K tile is skipped; an equivalent one is shown
  int delay = 0;            // cycles that memory takes longer
  int varies = 0;  // and up to this many more, a different number for each K tile of A and of B
  double usualCycles = 0;  // per K tile, with the usual latency
  // The K tiles that are shown unless the user has chosen a span.
  double usualBegin = 0, usualEnd = 0;
  int k = 0;  // of the problem; 0: unknown
  // Only for the time between two tiles of C; then also the K tiles of the problem.
  std::optional<timeline::Seam> seam;
  int kTiles = 0;
  bool guessed = false;  // the number of blocks per SM is estimated, without a compiler
  QString device;        // the device of the rates
  QString limit;         // of the whole launch, "DRAM, 73 % of the time"; may be empty
  QString remark;        // if the prediction of the tile panel differs
  QString trouble;       // why there is nothing to show, as a sentence
  bool waiting = false;  // for the recording
  bool another = false;  // and until then this is the timeline of another tile
  bool brief = false;    // without legend and remark: another timeline has them
  // The timestamps of a block of the same tile on a GPU; null: `noStamps` gives the reason, as a
  // sentence.
  std::shared_ptr<const timeline::Beside> beside;
  QString noStamps;
  bool measured = false;  // shows `beside` and not the prediction
  bool legend = true;     // false: another timeline on the same axis has it
  bool cycles = true;     // the axis has cycles; false: another timeline above has them
  QString title;          // which of two compared timelines; empty: not compared

  bool ready() const { return timeline != nullptr; }
  bool namesCycles() const { return cycles && !measured; }
};

// Shows the time between two tiles of C, with this K of the problem. The timeline must be of two
// block tiles.
void showSeam(TimelineData& data, int k);

// The timestamped timeline on the predicted one's axis; `predicted` must have one beside it.
TimelineData measuredData(const TimelineData& predicted);

// Moves the usual span so that the K tile at which both are aligned is in its middle; the legend
// goes below the measured timeline.
void makeRoomForMeasured(TimelineData& predicted);

// What is shown without a choice: the launch and the first K tiles.
CycleSpan usualSpan(const TimelineData& data);
// The number of these K tiles.
inline constexpr std::uint32_t kTilesShown = 4;

}  // namespace tileloom
