// SPDX-License-Identifier: GPL-3.0-or-later
// What the hardware says that warps waited for, beside the costs that the model predicts.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/model/costs.h"
#include "kernels/runs/counter_values.h"

namespace tileloom::model {

struct Stall {
  runs::Counter counter{};
  std::string_view name;  // "at a barrier"
  double share = 0;       // of the time that all warps were in flight, 0 to 1
  Cost cost{};            // of the model, which it belongs to most
};

// Largest first; those that never happened are left out. Empty: the counters lack one of them. The
// shares add up to all of the warps' time. They are not shares of the launch's time: while a warp
// waits, others can go on, so that much waiting may cost nothing.
std::vector<Stall> stallsOf(const runs::Counters& counters);

}  // namespace tileloom::model
