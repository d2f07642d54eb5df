// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/recorded_counts.h"

#include <fmt/format.h>

namespace tileloom::emulator {

std::string tooManyGroups(std::uint32_t newest) {
  if (newest <= kMostGroupsLeft) return {};
  return fmt::format(
      "waits until at most {} groups are in flight, but a trace has room for {}: wait for more of "
      "them",
      newest, kMostGroupsLeft);
}

}  // namespace tileloom::emulator
