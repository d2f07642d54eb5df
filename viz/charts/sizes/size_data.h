// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the size chart, as plain values. All sizes are of cubes, M = N = K.
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/model/prediction/size_curve.h"
#include "kernels/tile/subject.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// The largest size on the axis; the smallest is always the same.
enum class SizeSpan { To2048, To4096, To8192, To16384 };
inline constexpr std::array kSizeSpans = {SizeSpan::To2048, SizeSpan::To4096, SizeSpan::To8192,
                                          SizeSpan::To16384};
inline constexpr std::array<std::string_view, 4> kSizeSpanNames = {"2048", "4096", "8192", "16384"};
inline constexpr int kSmallestSize = 256;
constexpr int largestOf(SizeSpan span) {
  return 2048 << static_cast<int>(span);
}

// A run of the tile at a size.
struct SizeRun {
  int size = 0;
  QString device;
  runs::Interval gflops;
  Freshness freshness = Freshness::Recorded;
  // Share of the launch in which an SM has work, 0 to 1, counted.
  std::optional<double> busy = std::nullopt;
  int alike = 0;  // known runs of this size on the device of the prediction
  bool operator==(const SizeRun&) const = default;
};

struct SizeCublas {
  int size = 0;
  double gflops = 0;
  bool operator==(const SizeCublas&) const = default;
};

// The baseline tile, on the same axes.
struct SizeBaseline {
  QString name;
  std::vector<model::SizePoint> points;  // as in SizeData
  std::vector<SizeRun> runs;
  QString trouble = {};  // why it is not drawn, as a sentence
};

// `format` is that of all runs, cuBLAS's included.
struct SizeData : Subject {
  int from = 0, to = 0;                  // of the axis
  std::vector<model::SizePoint> points;  // predicted, ascending; empty: being computed, or unknown
  std::vector<SizeRun> runs;             // ascending
  std::vector<SizeCublas> cublas;        // ascending
  Problem present;                       // in the window; it need not be a cube
  int blocksPerSm = 0, sms = 0;
  int toothStep = 0;     // distance of the drawn teeth; more than the tile: some are left out
  QString device;        // where cuBLAS was measured
  QString foretoldOf;    // device whose constants the prediction uses
  int knownRuns = 0;     // known runs of cubes on that device, of all tiles and sizes
  bool waiting = false;  // for the prediction
  QString trouble;       // why there is no prediction, as a sentence; empty: there is one
  std::optional<SizeBaseline> baseline = std::nullopt;

  std::optional<int> presentSize() const {
    const bool cube = present.m == present.n && present.n == present.k;
    return cube ? std::optional(present.m) : std::nullopt;
  }
};

}  // namespace tileloom
