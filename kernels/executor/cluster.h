// SPDX-License-Identifier: GPL-3.0-or-later
// The barrier of a cluster, and registers that warps exchange.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// UCGABAR_ARV, UCGABAR_WAIT: a warp counts whole.
void arriveAtCluster(Warp& warp, const Operation& o);
void waitForCluster(Warp& warp, const Operation& o);
// USETMAXREG: `first` says that the warp has the registers. It always has them here: which
// registers a kernel may use is not checked.
void takeRegisters(Warp& warp, const Operation& o);

}  // namespace tileloom::executor
