// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the energy chart, as plain values.
#pragma once

#include <optional>
#include <vector>

#include "kernels/model/limits/energy.h"

namespace tileloom {

// A rung, or the best of cuBLASLt, with its value in each call.
struct EnergyRung {
  struct Point {
    int call = 0;  // index in EnergyData::calls
    model::RungAtLimit at;
    bool operator==(const Point&) const = default;
  };
  const Stage* stage = nullptr;  // nullptr: the best of cuBLASLt's first eight
  std::vector<Point> points;     // in the order of the calls; at least one
  bool operator==(const EnergyRung&) const = default;
};

struct EnergyData {
  std::vector<model::EnergyCall> calls;
  const Stage* present = nullptr;  // the rung in the window

  // The first call with what-ifs; nullptr: none was measured.
  const model::EnergyCall* whatIfs() const;
  // By rung, and cuBLASLt at the end.
  std::vector<EnergyRung> rungs() const;
};

// What the user points at: a row of one of the two parts.
struct EnergySpot {
  std::optional<model::Loads> loads = std::nullopt;
  std::optional<int> rung = std::nullopt;  // index in EnergyData::rungs()
  bool operator==(const EnergySpot&) const = default;
};

}  // namespace tileloom
