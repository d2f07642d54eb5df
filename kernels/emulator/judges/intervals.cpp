// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/intervals.h"

namespace tileloom::emulator::judges {

void Intervals::blame(FaultKind kind, std::uint32_t thread, Site site, std::uint32_t array,
                      std::int64_t index, bool store, int other) {
  context_.reportElement(kind, {thread, site}, array, index, store, other);
}

}  // namespace tileloom::emulator::judges
