// SPDX-License-Identifier: GPL-3.0-or-later
// What the ratios to cuBLAS have in common that are not measured in short rounds
// (sustained_ratio.h, cycle_ratio.h): kernel and cuBLAS alternately. Short rounds (speed.h) neither
// share one clock nor reach the power limit, which takes some seconds.
#pragma once

#include "kernels/base/error.h"

namespace tileloom::gpu {

struct RatioOptions {
  int pairs = 5;           // of kernel and cuBLAS, alternately; the order changes
  double settleMs = 1000;  // untimed part of each turn: power and clock follow slowly
  double turnMs = 2000;    // timed part of each turn
  double batchMs = 200;    // launches that are queued together
  double limitMs = 30000;  // longest time of a launch
};

// ABBAAB…: the second one finds a warmer GPU, so each is second equally often.
inline bool kernelFirst(int pair) {
  return pair % 2 == 0;
}

// Trouble::Missing: without cuBLAS there is no ratio.
inline tl::unexpected<Error> nothingToCompare() {
  return fail(Trouble::Missing,
              "there is nothing to compare with, because cuBLAS was not found: install it or omit "
              "--ratios");
}

}  // namespace tileloom::gpu
