// SPDX-License-Identifier: GPL-3.0-or-later
// The gain of each change as rows: the rewritten loop, the same without each of its changes and
// with other lanes, and the untouched loop with both kinds of lanes.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "viz/code/loop/loop_data.h"

namespace tileloom {

struct LoopRow {
  QString name;
  std::optional<rewrite::Version> version;  // std::nullopt: the untouched loop
  double predicted = 0;                     // cycles per turn; 0: this version does not exist
  std::optional<double> measured;           // std::nullopt: not measured
  QString whyNot;                           // a sentence; empty: it exists
  bool shown = false;                       // it is shown beside the untouched loop
  bool otherLanes = false;                  // than the kernel's own
  bool usual = true;                        // it is always there; otherwise the user has chosen it
};

// The first one has all changes. The user's choice is among them.
std::vector<LoopRow> loopRows(const LoopData& data);

// "rewritten", "without 2 × 2 order, early loads", "with lanes of rung 14"
QString versionName(const rewrite::Version& version, bool usuallyPaired);

// Headings of the columns: measured values, and the model's.
QString measuredHeading();
QString predictedHeading();

// Cycles per turn of a version, or of the untouched loop with the kernel's own lanes, as measured.
// std::nullopt: not measured.
std::optional<double> measuredCycles(const LoopData& data,
                                     const std::optional<rewrite::Version>& version);

// Cycles of a warp from a shared load to the first use of its result, by the model.
struct LoadToUseSummary {
  int shortest = 0;
  int median = 0;
};
LoadToUseSummary loadToUse(const rewrite::TurnFacts& facts);

}  // namespace tileloom
