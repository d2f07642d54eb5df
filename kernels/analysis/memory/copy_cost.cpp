// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/copy_cost.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/wavefronts.h"

namespace tileloom::analysis {
namespace {

constexpr std::uint32_t kWordsPerLine = kLineBytes / 4, kWordsPerSector = kSectorBytes / 4,
                        kWordsPerHalf = kWordsPerSector / 2;

// What the lanes of one wavefront have in common.
struct PassKey {
  std::uint32_t from = 0, to = 0;  // lines
  // 4: a whole sector goes from a sector to a sector. Else the half that is read, and, twice as
  // much, the one that is written.
  std::uint32_t halves = 0;
  bool operator==(const PassKey&) const = default;
};

std::array<PassKey, 32> keysOf(std::span<const std::uint32_t, 32> elements,
                               std::span<const std::uint32_t, 32> words, std::uint32_t mask) {
  constexpr std::uint32_t kWhole = 4;
  std::array<PassKey, 32> keys;
  const auto halvesOf = [&](std::uint32_t lane) {
    return elements[lane] / kWordsPerHalf % 2 + words[lane] / kWordsPerHalf % 2 * 2;
  };
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    keys[lane] = {elements[lane] / kWordsPerLine, words[lane] / kWordsPerLine, halvesOf(lane)};
    // Another lane may move the other half of this sector to the same one, in either order.
    for (std::uint32_t other = 0; other < 32; ++other) {
      if ((mask >> other & 1u) != 0 && halvesOf(lane) + halvesOf(other) == 3 &&
          elements[lane] / kWordsPerSector == elements[other] / kWordsPerSector &&
          words[lane] / kWordsPerSector == words[other] / kWordsPerSector)
        keys[lane].halves = kWhole;
    }
  }
  return keys;
}

// How many different values the lanes have.
template <class Of>
std::uint32_t distinct(std::uint32_t mask, Of of) {
  std::array<std::pair<std::uint32_t, std::uint32_t>, 32> values;
  std::size_t count = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane & 1u) != 0) values[count++] = of(lane);
  const auto all = std::span(values).first(count);
  std::ranges::sort(all);
  // Clang 14 cannot compile std::ranges::unique() with the library of GCC 12.
  return static_cast<std::uint32_t>(std::unique(all.begin(), all.end()) - all.begin());
}

}  // namespace

std::array<std::uint8_t, 32> copyPasses(std::span<const std::uint32_t, 32> elements,
                                        std::span<const std::uint32_t, 32> words,
                                        std::uint32_t mask, std::uint32_t width) {
  std::array<std::uint8_t, 32> passes;
  passes.fill(0xFF);
  if (width == 1) {
    const Wavefronts lines = wavefronts(elements, mask, 1, true);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      passes[lane] = lines.servedIn[lane * kMostWidth];
    return passes;
  }
  const auto keys = keysOf(elements, words, mask);
  std::array<std::uint32_t, 32> seen;
  std::uint32_t count = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    std::uint32_t pass = 0;
    while (pass < count && keys[seen[pass]] != keys[lane]) ++pass;
    passes[lane] = static_cast<std::uint8_t>(pass);
    if (passes[lane] == count) seen[count++] = lane;
  }
  return passes;
}

CopyCost copyCost(std::span<const std::uint32_t, 32> elements,
                  std::span<const std::uint32_t, 32> words, std::uint32_t mask,
                  std::uint32_t width) {
  if (mask == 0) return {};
  std::uint32_t passes = 0;
  for (const std::uint8_t pass : copyPasses(elements, words, mask, width)) {
    if (pass != 0xFF) passes = std::max(passes, pass + 1u);
  }
  if (width != 1) {
    CopyCost cost{passes, 0};
    cost.sectors = distinct(mask, [&](std::uint32_t lane) {
      return std::pair(elements[lane] / kWordsPerLine, words[lane] / kWordsPerSector);
    });
    cost.sectorPairs = distinct(mask, [&](std::uint32_t lane) {
      return std::pair(elements[lane] / kWordsPerSector, words[lane] / kWordsPerSector);
    });
    return cost;
  }
  const std::uint32_t conflicts = wavefronts(words, mask, 1, true).count - 1 + passes - 1;
  return {conflicts + 1, conflicts, 0, 0};
}

}  // namespace tileloom::analysis
