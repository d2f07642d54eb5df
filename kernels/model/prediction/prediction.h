// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch takes, predicted without a GPU: a bottleneck model of the SM over the trace.
//
// A K tile of all `n` blocks on an SM keeps each pipe busy for some cycles: instruction issue (the
// scheduler with the most warps counts), the shared-memory data pipe, L2, DRAM. The busiest pipe
// determines the time, plus a bit where two are nearly as busy. Added to that is the latency of a
// block that other blocks do not hide: its own chain of instructions, global memory, the barriers,
// and the shared loads at each k. K tiles follow one another, and so do waves of blocks. terms.h
// has each part of the sum. See docs/design/07-tuning.md for the accuracy of the prediction and
// where it fails.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/model/chip.h"
#include "kernels/model/prediction/workload.h"

namespace tileloom::model {

struct Prediction {
  double cycles = 0;     // per K tile of all blocks that share an SM
  double ffmaShare = 0;  // utilisation of the FMA pipe, 0 to 1
  int resident = 0;      // blocks that share an SM in a full wave
  double waves = 0;      // of blocks, not rounded: see wavesOf() (last_wave.h)
  double milliseconds = 0;
  double gflops = 0;
  double gflopsLow = 0, gflopsHigh = 0;  // prediction band
  bool fromCode = false;                 // from known machine code
};

// "3.88"; "0.0076" where that would be 0.00.
std::string wavesText(double waves);

// SMs with work at the beginning, at least 1: these share DRAM.
double smsWithWork(const Workload& work, const Chip& chip);

Prediction predict(const Workload& work, const Rates& rates, const Chip& chip);

// SM cycles of the whole launch, for a fit.
double predictCycles(const Workload& work, const Rates& rates, const Chip& chip);

}  // namespace tileloom::model
