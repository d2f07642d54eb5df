// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/run_ratio.h"

namespace tileloom::runs {

std::string_view verb(Origin origin) {
  return origin == Origin::Live ? "measured" : "recorded";
}

std::optional<RunRatio> speedRatio(const RunRecord* here, const RunRecord* there) {
  if (here == nullptr || there == nullptr || !here->gflops.known() || !there->gflops.known())
    return std::nullopt;
  const bool live = here->origin == Origin::Live && there->origin == Origin::Live;
  return RunRatio{there->gflops.median / here->gflops.median,
                  live ? Origin::Live : Origin::Recorded};
}

}  // namespace tileloom::runs
