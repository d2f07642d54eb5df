// SPDX-License-Identifier: GPL-3.0-or-later
// What the roofline shows, as plain values.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "kernels/model/roofline.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// At whose intensity the points stand; All joins the three of each rung.
enum class RooflineLevel { Dram, L2, Shared, All };
inline constexpr std::array kRooflineLevels = {RooflineLevel::Dram, RooflineLevel::L2,
                                               RooflineLevel::Shared, RooflineLevel::All};

// As the command line names them.
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

struct RooflinePoint {
  const Stage* stage = nullptr;
  TileShape tile;
  Standing standing = Standing::Recorded;
  runs::Interval gflops;  // not known(): not measured
  // With its range, where somebody foretells it and nobody has measured it.
  std::optional<runs::Interval> predicted = std::nullopt;
  model::Traffic traffic;
  // Blocks an SM, on which DRAM's bytes depend, neither compiled nor measured.
  bool blocksEstimated = false;
  bool operator==(const RooflinePoint&) const = default;
};

struct RooflineData {
  Problem problem;
  model::Ceilings ceilings;
  std::vector<RooflinePoint> rungs;      // at their default tiles, by rung
  std::optional<RooflinePoint> present;  // the tile in the window
  QString source;                        // "recorded on NVIDIA H100 80GB HBM3, 2026-11-21"
  int waiting = 0;                       // rungs that are still being traced
  bool measuringCeilings = false;        // others come in seconds
  RooflineLevel level = RooflineLevel::Dram;
};

}  // namespace tileloom
