// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the charts, as plain values. A chart does not know GPUs, workers or files.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "kernels/runs/run_record.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/freshness.h"

namespace tileloom {

// A model's prediction for a tile. It is kept separate from measurements.
struct Forecast {
  double gflops = 0;
  double low = 0;  // 80 % of the tiles lie between low and high
  double high = 0;
  QString limit;  // "instruction issue, 82 % of the cycles"
  bool operator==(const Forecast&) const = default;
};

// One setting of the tile parameters in the history, with what is known about it.
struct HistoryPoint : Launched {
  Freshness freshness = Freshness::Live;
  bool measuring = false;  // more rounds will follow
  runs::Interval gflops;   // not known(): not measured, or not yet
  runs::Interval cublas;   // from the same run
  runs::Interval ratio;
  std::optional<Forecast> forecast;
  double peakPercent = 0;  // of the arithmetic's peak at the measured clock; 0: unknown
  int clockMHz = 0;        // of the SMs, median while measuring; 0: unknown
  int registers = -1;      // per thread; -1: unknown
  int spillBytes = 0;
  QString mainLoop;         // as in KernelFacts
  int blocks = 0;           // per SM; 0: unknown
  int warps = 0;            // per SM
  int mostWarps = 0;        // that an SM can hold
  QString limitedBy;        // "registers", "shared memory", …: why no further block fits
  runs::Counters counters;  // from a launch after the timed ones; empty: not counted
  QString device;           // "NVIDIA H100 80GB HBM3"
  QString when;             // ISO 8601, UTC
  QString note;             // what went wrong: "wrong result at row 3, column 5"; or empty
  bool operator==(const HistoryPoint&) const = default;
};

// One rung in the ladder chart.
struct LadderBar : Subject {
  Freshness freshness = Freshness::Recorded;
  runs::Interval gflops;
  runs::Interval ratio;  // of cuBLAS in the same run
  QString device = {};   // where it was measured; empty: not measured
  bool operator==(const LadderBar&) const = default;
};

}  // namespace tileloom
