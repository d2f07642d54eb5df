// SPDX-License-Identifier: GPL-3.0-or-later
// The states of an SM's warps in a main loop: predicted by the model of an iteration, beside
// samples of the same kernel.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kernels/rewrite/loop_study.h"
#include "kernels/runs/stall_samples.h"

namespace tileloom::model {

struct TurnStall {
  std::string_view name;            // stallName(): "at a barrier"
  std::optional<double> predicted;  // share of the warps' time in the loop, 0 to 1; std::nullopt:
                                    // the model does not know this reason
  std::optional<double> sampled;    // share of the samples that lie in the loop
  bool waits = true;                // isWait(): no instruction is issued at that time
};

// Those that take at least a thousandth of the time, largest first: by the samples, if there are
// any, else by the model. `samples` are of the kernel whose loop this is, as it runs, or nullptr.
// The two queues of memory instructions are one to the model: it assigns all of it to that of
// shared memory.
std::vector<TurnStall> turnStalls(const rewrite::TurnFacts& loop,
                                  const runs::StallSamples* samples);

}  // namespace tileloom::model
