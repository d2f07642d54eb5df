// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of one asynchronous copy instruction of a warp where L1 meets shared memory. It reads
// the lines of its matrix and writes the banks of shared memory together, so both sides count.
//
// Fitted to 36 kernels on an H100, where it equals CUPTI's count for all of them
// (docs/design/02-fidelity.md):
// * copies of 4 bytes, which pass through L1: lanes whose words are in one bank on either side, in
//   different lines there, wait for each other: conflicts = (ways in shared memory - 1) + (ways
//   in L1's lines - 1), wavefronts = conflicts + 1.
// * copies of 16 bytes, which bypass L1, move sectors of 32 bytes on either side. One wavefront
//   serves the whole sectors that go from one line of the matrix to one line (128 bytes) of shared
//   memory. Half a sector goes alone: the halves that keep their place in the sector, or change it
//   in the same way, share a wavefront. None counts as a conflict. Equal to an H200's counts for
//   138 of 140 patterns (docs/hardware.md, rule 94).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tileloom::analysis {

// Why a copy may have more conflicts than the banks of shared memory explain.
inline constexpr std::string_view kCopyConflicts =
    "A copy of 4 bytes per lane has conflicts of two kinds: in the banks of shared memory, and in "
    "L1 among the lines that it reads.";

struct CopyCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts = 0;
  // Of copies of 16 bytes. What L1 fetches: for each line of the matrix, the sectors of shared
  // memory that it goes to.
  std::uint32_t sectors = 0;
  // Pairs of a sector of the matrix and one of shared memory that some lane joins.
  std::uint32_t sectorPairs = 0;
  bool operator==(const CopyCost&) const = default;
};

// `elements[l]` is the first float that lane l reads, counted from the start of its matrix, which
// is on a line; `words[l]` the word of shared memory that it writes first. `width` is 1 or 4.
CopyCost copyCost(std::span<const std::uint32_t, 32> elements,
                  std::span<const std::uint32_t, 32> words, std::uint32_t mask,
                  std::uint32_t width);

// The pass that serves each lane of such a copy, from 0; 0xFF: the lane is not active. For a width
// of 1 these are the passes in L1 alone, of which the first coincides with the first in the banks;
// for 4 they are all wavefronts of the copy.
std::array<std::uint8_t, 32> copyPasses(std::span<const std::uint32_t, 32> elements,
                                        std::span<const std::uint32_t, 32> words,
                                        std::uint32_t mask, std::uint32_t width);

}  // namespace tileloom::analysis
