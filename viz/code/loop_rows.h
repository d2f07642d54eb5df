// SPDX-License-Identifier: GPL-3.0-or-later
// "What would one change gain?" as rows: the rewritten loop, the same without each of its changes
// and with other lanes, and the untouched loop with both.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "viz/code/loop_data.h"

namespace tileloom {

struct LoopRow {
  QString name;
  std::optional<rewrite::Version> version;  // std::nullopt: the untouched loop
  double predicted = 0;                     // cycles per turn; 0: this version does not exist
  std::optional<double> measured;           // std::nullopt: nobody has measured it
  QString whyNot;                           // a sentence, where it does not exist
  bool shown = false;                       // it stands beside the untouched loop
  bool otherLanes = false;                  // than the kernel's own
  bool usual = true;  // it is always there; otherwise the person has chosen it
};

// The first one has all changes. What the person has chosen is among them.
std::vector<LoopRow> loopRows(const LoopData& data);

// "rewritten", "without 2 × 2 order, early loads", "with lanes of rung 14"
QString versionName(const rewrite::Version& version, bool usuallyPaired);

// Above the columns of figures: what was counted, and what the model says.
QString measuredHeading();
QString predictedHeading();

// Cycles per turn of a version, or of the untouched loop with the kernel's own lanes, as measured.
// std::nullopt: nobody has.
std::optional<double> measuredCycles(const LoopData& data,
                                     const std::optional<rewrite::Version>& version);

// Cycles of a warp from a shared load to the first use of what it brings, by the model.
struct LoadToUseSummary {
  int shortest = 0;
  int median = 0;
};
LoadToUseSummary loadToUse(const rewrite::TurnFacts& facts);

}  // namespace tileloom
