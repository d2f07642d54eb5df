// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/register_shares.h"

#include <algorithm>

#include "kernels/tile/derived.h"

namespace tileloom::analysis {

std::vector<RegisterShare> registerShares(const emulator::Trace& trace, const WaitGraph& graph) {
  const auto pool = pointOf(graph, WaitOn::Registers, {}, 0);
  if (!pool) return {};
  std::vector<RegisterShare> shares;
  const auto before = static_cast<std::uint32_t>(launchedRegisters(*trace.rung(), trace.tile));
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const WaitNode& node = graph.nodes[n];
    if (node.kind != WaitNode::Kind::Warps || node.other) continue;
    RegisterShare share{n, node.count * emulator::kWarpSize, before, before};
    for (const auto* edges : {&graph.points[*pool].waiters, &graph.points[*pool].enders}) {
      const auto edge = std::ranges::find(*edges, n, &WaitEdge::node);
      if (edge != edges->end()) share.after = edge->perThread;
    }
    shares.push_back(share);
  }
  return shares;
}

}  // namespace tileloom::analysis
