// SPDX-License-Identifier: GPL-3.0-or-later
// Which thread executes which instruction: the origin of an event, and of a fault.
#pragma once

#include <cstdint>

namespace tileloom::emulator {

inline constexpr std::uint32_t kWarpSize = 32;

// A place in a kernel: a line of its source, an address in its machine code, or both.
struct Site {
  static constexpr std::uint32_t kNoAddress = 0xFFFF'FFFF;
  int line = 0;                        // 0: unknown
  std::uint32_t address = kNoAddress;  // in bytes from the beginning of the kernel
};

struct Origin {
  std::uint32_t thread = 0;  // linear, in its block
  Site site;

  constexpr std::uint32_t warp() const { return thread / kWarpSize; }
  constexpr std::uint32_t lane() const { return thread % kWarpSize; }
};

}  // namespace tileloom::emulator
