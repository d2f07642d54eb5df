// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of one run over that of another, and where the two runs come from.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/runs/run_record.h"

namespace tileloom::runs {

// How texts call a figure of this origin: "measured" (on this machine, by this installation) or
// "recorded" (shipped with the program).
std::string_view verb(Origin origin);

struct RunRatio {
  double speed = 1;                  // GFLOP/s over GFLOP/s
  Origin origin = Origin::Recorded;  // Live: both runs are

  // "measured" or "recorded"
  std::string_view verb() const { return runs::verb(origin); }
};

// Of `there` over `here`; std::nullopt: one of them is missing or has no speed.
std::optional<RunRatio> speedRatio(const RunRecord* here, const RunRecord* there);

}  // namespace tileloom::runs
