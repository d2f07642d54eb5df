// SPDX-License-Identifier: GPL-3.0-or-later
// How far apart a schedule places the instructions of an iteration.
#pragma once

#include "kernels/rewrite/product_order.h"

namespace tileloom::rewrite {

// Distances are in multiply-adds. The defaults are the fastest of those measured on an H100
// (docs/log/performance.md): the best and the worst of them differ by 3 %.
struct Spacing {
  ProductOrder order{false, 4};
  int firstLoad = 5;      // from the beginning of a k to the first load for the next one
  int load = 20;          // from load to load, at most; fewer if they would not fit
  int beforeUse = 24;     // from the last load to the first multiply-add that needs it, at least
  int other = 14;         // between two other instructions, at most
  int fetch = 40;         // from the beginning of an iteration to the first other instruction
  int barrier = -24;      // from the beginning of the last k to the barrier
  int afterBarrier = 10;  // between the instructions after the barrier, at most
};

}  // namespace tileloom::rewrite
