// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/wait_graph.h"

namespace tileloom::analysis {

std::optional<std::size_t> pointOf(const WaitGraph& graph, WaitOn on, const std::string& name,
                                   std::uint32_t number) {
  for (std::size_t i = 0; i < graph.points.size(); ++i) {
    const WaitPoint& point = graph.points[i];
    if (point.on == on && point.name == name && point.number == number) return i;
  }
  return std::nullopt;
}

}  // namespace tileloom::analysis
