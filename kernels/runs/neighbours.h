// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that differ in one tile parameter alone: what a tile parameter costs, as measured.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/runs/run_record.h"

namespace tileloom::runs {

// Indices of two runs of one device, stage and problem whose tiles differ only in `parameter`.
// Among the runs with the same other parameters, their values of it are adjacent; `one` has the
// smaller.
struct Neighbours {
  std::size_t one = 0;
  std::size_t other = 0;
  Parameter parameter{};
  bool operator==(const Neighbours&) const = default;
};

// All such pairs. Of several runs of one tile the last counts. No pointer may be null.
std::vector<Neighbours> neighbours(std::span<const RunRecord* const> runs);

}  // namespace tileloom::runs
