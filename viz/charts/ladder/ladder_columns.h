// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of numbers beside the ladder's bars: what they contain, and which are dropped in a
// narrow chart.
#pragma once

#include <QFont>
#include <QString>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "viz/charts/chart_data.h"

namespace tileloom {

// The fastest tile of a rung among the known runs on one device at one size.
struct FastestTile {
  TileShape tile;
  double gflops = 0;
  int tiles = 0;  // number of tiles compared, this one included
  Freshness freshness = Freshness::Recorded;
  bool operator==(const FastestTile&) const = default;
};

// What is known about a rung besides its speed.
struct LadderFigures {
  int registers = -1;  // per thread; -1: unknown
  int spillBytes = 0;
  QString mainLoop = {};                                 // as in KernelFacts
  std::optional<double> occupancy = std::nullopt;        // theoretical, 0 to 1
  std::optional<double> dramIntensity = std::nullopt;    // FLOP per byte
  bool dramCounted = false;                              // by the hardware; else predicted
  std::optional<double> sharedIntensity = std::nullopt;  // std::nullopt: no byte moves there
  std::optional<double> conflictShare =
      std::nullopt;     // of shared memory's wavefronts, 0 to 1; std::nullopt: it is not used
  bool traced = false;  // the three values above are known
  std::optional<FastestTile> fastest = std::nullopt;
  runs::Interval library = {};  // cuBLAS in the bar's run
  bool operator==(const LadderFigures&) const = default;
};

namespace charts {

// In the order from left to right.
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
// "36,339"; "–": unknown.
QString cellOf(LadderColumn column, const LadderBar& bar, const LadderFigures& figures);

// A laid-out column. Its numbers are aligned to its right edge.
struct PlacedColumn {
  LadderColumn column = LadderColumn::Speed;
  double left = 0;
  double width = 0;
};
// The columns that fit into `room` pixels, from left to right, beginning at 0. The less important
// ones are dropped first. Empty if not even speed and share fit.
std::vector<PlacedColumn> placeColumns(std::span<const LadderBar> bars,
                                       std::span<const LadderFigures> figures, double room,
                                       const QFont& body, const QFont& small);

}  // namespace charts
}  // namespace tileloom
