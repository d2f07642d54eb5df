// SPDX-License-Identifier: GPL-3.0-or-later
// How long the tensor cores of an SM have nothing to compute in the steady state, and what the
// warps that multiply wait for in that time.
#pragma once

#include <optional>
#include <vector>

#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

struct Standstill {
  double cycles = 0;  // per K tile
  struct Part {
    On on = On::Nothing;  // Nothing: the warps are awake, and ask for the next products
    double cycles = 0;    // on average over the warps that multiply
  };
  // What the cycles go to, most first. Empty where several blocks share the SM, of which only one
  // has lanes, or where warps multiply by instructions of their own.
  std::vector<Part> parts;
};
// std::nullopt: nothing multiplies on tensor cores, or there is no steady state.
std::optional<Standstill> standstillOf(const Timeline& timeline);

}  // namespace tileloom::timeline
