// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/lateness.h"

namespace tileloom::timeline {
namespace {

// The finalizer of SplitMix64: each bit of the result depends on each bit of the number.
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
  return number ^ (number >> 31);
}

constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;  // of SplitMix64 from one number to the next

}  // namespace

double lateness(std::uint32_t kTile, analysis::Matrix matrix, std::uint32_t block) {
  const std::uint64_t which = (std::uint64_t{block} << 34) | (std::uint64_t{kTile} << 2) |
                              static_cast<std::uint64_t>(matrix);
  constexpr int kBits = 24;  // so that a double holds the quotient exactly
  return static_cast<double>(mixed((which + 1) * kStep) >> (64 - kBits)) / (1 << kBits);
}

}  // namespace tileloom::timeline
