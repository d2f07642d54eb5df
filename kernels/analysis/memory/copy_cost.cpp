// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/copy_cost.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/wavefronts.h"

namespace tileloom::analysis {

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
  constexpr std::uint32_t kWordsPerLine = kLineBytes / 4;
  std::uint8_t before = 0;  // passes of the quarters before
  for (std::uint32_t quarter = 0; quarter < 32; quarter += 8) {
    std::array<std::pair<std::uint32_t, std::uint32_t>, 8> joined;
    std::size_t count = 0;
    for (std::uint32_t lane = quarter; lane < quarter + 8; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::pair lines{elements[lane] / kWordsPerLine, words[lane] / kWordsPerLine};
      const auto end = joined.begin() + static_cast<std::ptrdiff_t>(count);
      const auto known = std::find(joined.begin(), end, lines);
      passes[lane] = static_cast<std::uint8_t>(before + (known - joined.begin()));
      if (known == end) joined[count++] = lines;
    }
    before = static_cast<std::uint8_t>(before + count);
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
  if (width != 1) return {passes, 0};
  const std::uint32_t conflicts = wavefronts(words, mask, 1, true).count - 1 + passes - 1;
  return {conflicts + 1, conflicts};
}

}  // namespace tileloom::analysis
