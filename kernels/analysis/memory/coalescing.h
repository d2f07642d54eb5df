// SPDX-License-Identifier: GPL-3.0-or-later
// How global memory serves one warp instruction: one request, the 32-byte sectors that its lanes
// touch, and wavefronts of L1's data pipe, by banks as in shared memory (docs/hardware.md, rule
// 13). Matrices start on a line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace tileloom::analysis {

inline constexpr std::uint32_t kSectorBytes = 32;
inline constexpr std::uint32_t kLineBytes = 128;

struct Coalescing {
  std::uint32_t sectors = 0;
  std::uint32_t lines = 0;        // of 128 bytes
  std::uint32_t wavefronts = 0;   // for a store, or where L1 has all lines
  std::uint32_t usefulBytes = 0;  // distinct bytes that some lane accesses

  // The fewest sectors that could hold this number of bytes.
  std::uint32_t idealSectors() const { return (usefulBytes + kSectorBytes - 1) / kSectorBytes; }
  // Cycles of L1: its data pipe serves one wavefront per cycle, and its tags four lines.
  std::uint32_t passes() const { return std::max(wavefronts, (lines + 3) / 4); }
  std::uint32_t fetchedBytes() const { return sectors * kSectorBytes; }
};

// `elements[l]` is the index of the first 32-bit word that lane l touches, of `width` consecutive
// ones; a word is a float or two 16-bit elements.
Coalescing coalescing(std::span<const std::uint32_t, 32> elements, std::uint32_t mask,
                      std::uint32_t width);

}  // namespace tileloom::analysis
