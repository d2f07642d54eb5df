// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/slower_text.h"

#include <fmt/format.h>

#include <cstdint>

#include "kernels/tile/words.h"

namespace tileloom::app {

std::string slowerText(const timeline::Costs& costs) {
  if (costs.varies > 0) {
    return fmt::format(", with memory {} to {} cycles slower, drawn for each K tile of A and of B",
                       wholeText(costs.delay), wholeText(costs.delay + costs.varies));
  }
  return costs.delay > 0 ? fmt::format(", with memory {} cycles slower", wholeText(costs.delay))
                         : std::string();
}

}  // namespace tileloom::app
