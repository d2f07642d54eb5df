// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers beside the ladder's bars: which columns there are, what stands in them, and which
// give way where there is little room.
#pragma once

#include <QFont>
#include <QString>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "viz/charts/chart_data.h"

namespace tileloom {

// What is known of a rung beside its speed.
struct LadderFigures {
  int registers = -1;  // a thread; -1: unknown
  int spillBytes = 0;
  std::optional<double> occupancy = std::nullopt;        // theoretical, 0 to 1
  std::optional<double> dramIntensity = std::nullopt;    // FLOP a byte, predicted
  std::optional<double> sharedIntensity = std::nullopt;  // nothing: no byte moves there
  std::optional<double> conflictShare =
      std::nullopt;     // of shared memory's wavefronts, 0 to 1; nothing: it is not used
  bool traced = false;  // the last three are known
  bool operator==(const LadderFigures&) const = default;
};

namespace charts {

// In the order of reading.
enum class LadderColumn {
  Speed,
  Share,
  Registers,
  Occupancy,
  Dram,
  Shared,
  Conflicts,
  LiteratureSpeed,
  LiteratureShare
};
inline constexpr int kLadderColumns = 9;

struct ColumnHead {
  QString title;  // "DRAM"
  QString unit;   // "FLOP/B"
};
ColumnHead headOf(LadderColumn column);
// "36,339"; "–" where there is nothing to tell.
QString cellOf(LadderColumn column, const LadderBar& bar, const LadderFigures& figures);

// A column as laid out: its right edge is where its numbers end.
struct PlacedColumn {
  LadderColumn column = LadderColumn::Speed;
  double left = 0;
  double width = 0;
};
// Those that fit into `room` pixels, in the order of reading, from 0 on: the less important ones
// are dropped first. Empty where not even speed and share fit.
std::vector<PlacedColumn> placeColumns(std::span<const LadderBar> bars,
                                       std::span<const LadderFigures> figures, double room,
                                       const QFont& body, const QFont& small);

}  // namespace charts
}  // namespace tileloom
