// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/wavefronts.h"

#include <algorithm>

namespace tileloom::analysis {
namespace {

// Whether all active lanes n and n ^ distance touch the same words. An inactive partner does not
// count.
bool paired(std::span<const std::uint32_t, 32> words, std::uint32_t mask, std::uint32_t distance) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t other = lane ^ distance;
    if ((mask >> lane & 1u) == 0 || (mask >> other & 1u) == 0) continue;
    if (words[lane] != words[other]) return false;
  }
  return true;
}

}  // namespace

Wavefronts wavefronts(std::span<const std::uint32_t, 32> words, std::uint32_t mask,
                      std::uint32_t width, bool store) {
  Wavefronts result;
  result.servedIn.fill(0xFF);
  std::uint32_t lanesAtOnce = 32 / width;
  if (width > 1 && !store && (paired(words, mask, 1) || paired(words, mask, 2))) {
    lanesAtOnce *= 2;
  }

  result.lanesAtOnce = lanesAtOnce;
  for (std::uint32_t first = 0; first < 32; first += lanesAtOnce) {
    // Distinct words of each bank, in the order of the lanes.
    std::array<std::array<std::uint32_t, 32 * kMostWidth>, kBanks> asked;
    std::array<std::uint32_t, kBanks> depth{};
    std::uint32_t deepest = 0;
    bool any = false;
    for (std::uint32_t lane = first; lane < first + lanesAtOnce; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      any = true;
      for (std::uint32_t w = 0; w < width; ++w) {
        const std::uint32_t word = words[lane] + w;
        const std::uint32_t bank = word % kBanks;
        auto& queue = asked[bank];
        const auto end = queue.begin() + depth[bank];
        const auto found = std::find(queue.begin(), end, word);
        if (found == end) queue[depth[bank]++] = word;
        result.servedIn[lane * kMostWidth + w] = static_cast<std::uint8_t>(
            result.count + static_cast<std::uint32_t>(found - queue.begin()));
        deepest = std::max(deepest, depth[bank]);
      }
    }
    for (std::uint32_t i = 1; i < deepest; ++i) result.extra |= 1u << (result.count + i);
    result.degree = std::max(result.degree, deepest);
    for (std::uint32_t bank = 0; bank < kBanks; ++bank) {
      if (depth[bank] > 1) result.crowded |= 1u << bank;
    }
    result.count += deepest;
    result.ideal += any ? 1 : 0;
  }
  return result;
}

}  // namespace tileloom::analysis
