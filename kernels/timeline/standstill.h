// SPDX-License-Identifier: GPL-3.0-or-later
// How long the tensor cores of an SM are idle in the steady state, and what the warps that multiply
// wait for in that time.
#pragma once

#include <optional>
#include <vector>

#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

struct Standstill {
  double cycles = 0;  // per K tile
  struct Part {
    On on = On::Nothing;  // Nothing: the warps are not waiting, and issue the next wgmma
    double cycles = 0;    // on average over the warps that multiply
  };
  // The causes of these cycles, most first. Empty if several blocks share the SM, because only one
  // has lanes, or if warps multiply with mma instructions.
  std::vector<Part> parts;
};
// std::nullopt: nothing multiplies on tensor cores, or there is no steady state.
std::optional<Standstill> standstillOf(const Timeline& timeline);

}  // namespace tileloom::timeline
