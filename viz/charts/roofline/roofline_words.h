// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline in words: roofs, points, bounds, tool tips and the texts for screen readers.
#pragma once

#include <QString>
#include <QStringList>

#include "viz/charts/roofline/roofline_data.h"

namespace tileloom::charts {

QString roofName(model::Roof roof);
QString levelName(RooflineLevel level);  // "DRAM", "all three"
QString levelName(model::MemoryLevel level);
// "rungs 6 to 14, enlarged"; `rungs` ascending.
QString insetTitle(const std::vector<int>& rungs, Ladder ladder = Ladder::Fp32);
QString keysTitle();  // for an axis with all levels, before their names
// The texts along a roof, the longest first: with its figure ("DRAM 3.35 TB/s"); for tensor core
// roofs also with the figure's origin and the rungs that it limits; last its name alone.
QStringList roofTexts(const RooflineData& data, model::Roof roof);
QString teraText(double giga);     // 38,138 -> "38.1", of 1e12
QString flopsText(double gflops);  // "38.1 TFLOP/s"
// "20 TFLOP/s", for round numbers; `decimals` in the number before the unit.
QString speedTick(double gflops, int decimals = 0);
QString intensityText(double intensity);  // "222", "4.3"
QString timeText(double seconds);         // "2.05 ms"

// Without the rung's number: "warp tiling", "this tile".
// "this tile", "baseline: warp tiling" or "warp tiling".
QString pointTitle(const RooflineData& data, int index);
QString baselineName();                           // "baseline", where the title has no room
QString pointNumber(const RooflinePoint& point);  // "8"
// A line beside the chart: a figure and what it is.
struct RooflineFact {
  QString value;
  QString note;
  bool heading = false;
};
std::vector<RooflineFact> boundFacts(const RooflineData& data);
// `full`: also the range of the bytes of DRAM.
std::vector<RooflineFact> pointFacts(const RooflineData& data, const RooflinePoint& point,
                                     bool present, bool full = false);
// "at least 2.05 ms: the FMA pipes; 0.08 ms: DRAM"
QString boundsSentence(const RooflineData& data);
QString pointToolTip(const RooflineData& data, const RooflinePoint& point, bool present);
QString rooflineCaption(const RooflineData& data);
QString emptyRooflineSentence(const RooflineData& data);

}  // namespace tileloom::charts
