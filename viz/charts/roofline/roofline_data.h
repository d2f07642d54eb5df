// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the roofline chart, as plain values.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "kernels/model/limits/roofline.h"
#include "kernels/model/why/limit.h"
#include "kernels/tile/subject.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// The memory level whose intensity the points are drawn at; All draws all three of each rung,
// joined by a line.
enum class RooflineLevel { Dram, L2, Shared, All };
inline constexpr std::array kRooflineLevels = {RooflineLevel::Dram, RooflineLevel::L2,
                                               RooflineLevel::Shared, RooflineLevel::All};

// The names on the command line.
inline constexpr std::array<std::string_view, 4> kRooflineLevelNames = {"dram", "l2", "shared",
                                                                        "all"};

constexpr std::string_view nameOf(RooflineLevel level) {
  for (std::size_t i = 0; i < kRooflineLevels.size(); ++i) {
    if (kRooflineLevels[i] == level) return kRooflineLevelNames[i];
  }
  return {};
}
constexpr std::optional<RooflineLevel> rooflineLevelNamed(std::string_view name) {
  for (std::size_t i = 0; i < kRooflineLevels.size(); ++i) {
    if (kRooflineLevelNames[i] == name) return kRooflineLevels[i];
  }
  return std::nullopt;
}

struct RooflinePoint : Subject {
  Freshness freshness = Freshness::Recorded;
  runs::Interval gflops;  // not known(): not measured
  // With its range, if there is a prediction and no measurement.
  std::optional<runs::Interval> predicted = std::nullopt;
  model::Traffic traffic;
  std::optional<model::Limit> limit = std::nullopt;  // of the launch; std::nullopt: unknown
  // The bytes of DRAM depend on the blocks per SM. true: these are neither from a compiler nor from
  // a measurement.
  bool blocksEstimated = false;
  bool operator==(const RooflinePoint&) const = default;
};

struct RooflineData {
  Problem problem;
  Ladder ladder = Ladder::Fp32;  // of all points: it decides which roofs there are
  model::Ceilings ceilings;
  std::vector<RooflinePoint> rungs;      // at their default tiles, in order
  std::optional<RooflinePoint> present;  // the tile in the window
  // During a comparison, which of the rungs is the baseline: one at its default tile, or a further
  // point after all of them.
  std::optional<int> baseline = std::nullopt;
  QString source;                  // "recorded on NVIDIA H100 80GB HBM3, 2026-11-21"
  int waiting = 0;                 // rungs that are still being traced
  bool measuringCeilings = false;  // measured ceilings will follow in seconds
  RooflineLevel level = RooflineLevel::Dram;

  // -1: the present tile, which must exist.
  const RooflinePoint& point(int index) const {
    return index < 0 ? *present : rungs[static_cast<std::size_t>(index)];
  }
};

}  // namespace tileloom
