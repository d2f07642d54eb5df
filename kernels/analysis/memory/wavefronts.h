// SPDX-License-Identifier: GPL-3.0-or-later
// How shared memory serves one warp instruction.
//
// 32 banks of one 4-byte word; a wavefront gives each bank one word, to any number of lanes. A
// 32-bit access is served for the whole warp at once, a 64-bit one by half warps, a 128-bit one by
// quarter warps. Measured on an H100: when every lane n loads from the address of lane n^1 (or
// every lane n from that of n^2), two halves or quarters are served together; stores have no such
// exception. See docs/design/02-fidelity.md. ldmatrix is a load without this exception, which
// serves its four matrices one after the other, eight rows of 16 bytes each (rule 54 of
// docs/hardware.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace tileloom::analysis {

inline constexpr std::uint32_t kBanks = 32;
inline constexpr std::uint32_t kMostWidth = 4;

struct Wavefronts {
  std::uint32_t count = 0;   // of the access
  std::uint32_t ideal = 0;   // of the same lanes without conflicts
  std::uint32_t degree = 0;  // most words of one bank in one group: an N-way conflict if above 1
  std::uint32_t lanesAtOnce = 0;  // 32, a half or quarter warp, or two of these that pair up
  std::uint32_t crowded = 0;      // bit b: bank b must serve several words at once
  std::uint32_t extra = 0;  // bit i: wavefront i is one that a conflict adds (32 at most in all)
  // The wavefront that serves word w of lane l is at [l * kMostWidth + w]; 0xFF for no access.
  std::array<std::uint8_t, 32 * kMostWidth> servedIn{};

  std::uint32_t conflicts() const { return count - ideal; }
};

// `words[l]` is the first word (4-byte units from the start of shared memory) that lane l touches,
// of `width` 1, 2 or 4 consecutive ones; `mask` has the active lanes. `store`: a store, or an
// access that is served like one.
Wavefronts wavefronts(std::span<const std::uint32_t, 32> words, std::uint32_t mask,
                      std::uint32_t width, bool store = false);

}  // namespace tileloom::analysis
