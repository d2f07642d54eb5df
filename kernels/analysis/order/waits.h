// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the waits of a block from a recording. It needs no times.
#pragma once

#include "kernels/analysis/order/wait_graph.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

WaitGraph waitsOf(const emulator::Trace& trace);

}  // namespace tileloom::analysis
