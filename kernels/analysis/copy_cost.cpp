// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/copy_cost.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/analysis/coalescing.h"
#include "kernels/analysis/wavefronts.h"

namespace tileloom::analysis {

CopyCost copyCost(std::span<const std::uint32_t, 32> elements,
                  std::span<const std::uint32_t, 32> words, std::uint32_t mask,
                  std::uint32_t width) {
  if (mask == 0) return {};
  if (width == 1) {
    const std::uint32_t conflicts =
        wavefronts(words, mask, 1, true).count - 1 + wavefronts(elements, mask, 1, true).count - 1;
    return {conflicts + 1, conflicts};
  }
  constexpr std::uint32_t kWordsPerLine = kLineBytes / 4;
  CopyCost cost;
  for (std::uint32_t quarter = 0; quarter < 32; quarter += 8) {
    std::array<std::pair<std::uint32_t, std::uint32_t>, 8> joined;
    std::size_t count = 0;
    for (std::uint32_t lane = quarter; lane < quarter + 8; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::pair lines{elements[lane] / kWordsPerLine, words[lane] / kWordsPerLine};
      const auto end = joined.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::find(joined.begin(), end, lines) == end) joined[count++] = lines;
    }
    cost.wavefronts += static_cast<std::uint32_t>(count);
  }
  return cost;
}

}  // namespace tileloom::analysis
