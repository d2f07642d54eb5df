// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/coalescing.h"

#include <algorithm>
#include <array>

#include "kernels/analysis/memory/wavefronts.h"

namespace tileloom::analysis {
namespace {

// Half warps are served separately for 8 bytes per lane, and quarter warps for 16. Among lanes that
// are served together, words of one bank take a wavefront each, in any line.
std::uint32_t wavefrontsOf(std::span<const std::uint32_t, 32> elements, std::uint32_t mask,
                           std::uint32_t width) {
  const std::uint32_t together = 32 / std::max(1u, width);
  std::uint32_t all = 0;
  for (std::uint32_t first = 0; first < 32; first += together) {
    std::array<std::uint32_t, 32> words;
    std::size_t count = 0;
    for (std::uint32_t lane = first; lane < first + together; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      for (std::uint32_t w = 0; w < width; ++w) words[count++] = elements[lane] + w;
    }
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(words.begin(), end);
    std::array<std::uint32_t, kBanks> inBank{};
    std::uint32_t most = 0;
    for (auto word = words.begin(); word != end; ++word) {
      if (word == words.begin() || *word != *(word - 1))
        most = std::max(most, ++inBank[*word % kBanks]);
    }
    all += most;
  }
  return all;
}

}  // namespace

Coalescing coalescing(std::span<const std::uint32_t, 32> elements, std::uint32_t mask,
                      std::uint32_t width) {
  constexpr std::uint32_t kFloatsPerSector = kSectorBytes / 4, kFloatsPerLine = kLineBytes / 4;
  std::array<std::uint32_t, 32 * 4> touched;
  std::size_t count = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    for (std::uint32_t w = 0; w < width; ++w) touched[count++] = elements[lane] + w;
  }
  std::sort(touched.begin(), touched.begin() + static_cast<std::ptrdiff_t>(count));
  Coalescing result;
  result.wavefronts = wavefrontsOf(elements, mask, width);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && touched[i] == touched[i - 1]) continue;
    result.usefulBytes += 4;
    if (i == 0 || touched[i] / kFloatsPerSector != touched[i - 1] / kFloatsPerSector) {
      ++result.sectors;
    }
    if (i == 0 || touched[i] / kFloatsPerLine != touched[i - 1] / kFloatsPerLine) ++result.lines;
  }
  return result;
}

}  // namespace tileloom::analysis
