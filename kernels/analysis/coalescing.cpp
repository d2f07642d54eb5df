// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/coalescing.h"

#include <algorithm>
#include <array>

namespace tileloom::analysis {

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
