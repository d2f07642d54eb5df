// SPDX-License-Identifier: GPL-3.0-or-later
// The registers of a block, warp by warp, before and after register reallocation (setmaxnreg).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/analysis/order/wait_graph.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// Of one node of the graph.
struct RegisterShare {
  std::size_t node = 0;
  std::uint32_t threads = 0;
  std::uint32_t before = 0, after = 0;  // per thread
};
// Empty without register reallocation.
std::vector<RegisterShare> registerShares(const emulator::Trace& trace, const WaitGraph& graph);

}  // namespace tileloom::analysis
