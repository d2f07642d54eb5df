// SPDX-License-Identifier: GPL-3.0-or-later
// Where a block is in its cluster. Stamps (clock.h) number the threads of a cluster together.
#pragma once

#include <cstdint>

namespace tileloom::emulator::judges {

struct Place {
  std::uint32_t rank = 0;
  std::uint32_t firstThread = 0;  // among the threads of the cluster

  // A thread of the block, as in a stamp.
  std::uint32_t who(std::uint32_t thread) const { return firstThread + thread; }
};

}  // namespace tileloom::emulator::judges
