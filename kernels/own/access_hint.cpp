// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/access_hint.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

namespace tileloom::own {
namespace {

constexpr std::uint32_t kMostPadBytes = 128;  // all banks
constexpr std::uint32_t kMostHintBits = 5;
constexpr std::uint32_t kMostHintBase = 7;  // bytes: chunks of a line
constexpr std::uint32_t kMostHintShift = 10;

// Lengths of rows that the indices suggest: distances between lanes, and powers of two up to the
// largest distance; the longest first.
std::vector<std::int64_t> likelyRows(const AccessPattern& pattern) {
  std::set<std::int64_t, std::greater<>> rows;
  std::int64_t most = 0;
  if (pattern.request.padding) rows.insert(pattern.request.padding->row);
  for (const PatternAccess& access : pattern.accesses) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (const std::uint32_t distance : {1u, 2u, 4u, 8u, 16u}) {
        const std::uint32_t other = lane ^ distance;
        if ((access.mask >> lane & access.mask >> other & 1u) == 0) continue;
        const std::int64_t apart = access.index[other] - access.index[lane];
        if (apart > 1) rows.insert(apart);
        most = std::max(most, apart);
      }
    }
  }
  for (std::int64_t row = 2; row <= most && row <= 1 << 16; row *= 2) rows.insert(row);
  std::vector<std::int64_t> list(rows.begin(), rows.end());
  constexpr std::size_t kMostRows = 48;
  // The shortest rows are those of tiles.
  if (list.size() > kMostRows)
    list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(kMostRows));
  return list;
}

// No lane's bytes may be divided by padding.
bool keepsTogether(const AccessPattern& pattern, std::int64_t row) {
  const std::int64_t elements =
      std::max<std::int64_t>(1, pattern.request.bytes / pattern.request.element);
  for (const PatternAccess& access : pattern.accesses) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((access.mask >> lane & 1u) != 0 && access.index[lane] % row + elements > row)
        return false;
    }
  }
  return true;
}

std::optional<PatternPadding> smallestPadding(const AccessPattern& pattern) {
  const std::uint32_t element = pattern.request.element, bytes = pattern.request.bytes;
  std::vector<PatternPadding> list;
  for (const std::int64_t row : likelyRows(pattern)) {
    if (!keepsTogether(pattern, row)) continue;
    for (std::uint32_t pad = 1; pad <= std::max(kMostPadBytes / element, 1u); ++pad) {
      if (pad * element % bytes == 0) list.push_back({row, pad});
    }
  }
  // Those that add the least memory first; the longest row first among equals.
  std::ranges::stable_sort(list, [](const PatternPadding& a, const PatternPadding& b) {
    return a.pad * b.row < b.pad * a.row;
  });
  for (const PatternPadding& padding : list) {
    if (extraWavefronts(pattern, padding, std::nullopt, 0) == 0u) return padding;
  }
  return std::nullopt;
}

std::optional<analysis::Swizzle> smallestSwizzle(const AccessPattern& pattern) {
  // Smaller chunks would divide the bytes of a lane, or an element.
  const auto base = static_cast<std::uint32_t>(
      std::countr_zero(std::max(pattern.request.bytes, pattern.request.element)));
  for (std::uint32_t bits = 1; bits <= kMostHintBits; ++bits) {
    for (std::uint32_t m = base; m <= kMostHintBase; ++m) {
      for (std::uint32_t shift = bits; shift <= kMostHintShift; ++shift) {
        const analysis::Swizzle swizzle{bits, m, shift};
        if (extraWavefronts(pattern, std::nullopt, swizzle, 0) == 0u) return swizzle;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

AccessHint accessHint(const AccessPattern& pattern) {
  AccessHint hint;
  if (!pattern.shared() || pattern.sum.extra() == 0) return hint;
  hint.searched = true;
  hint.padding = smallestPadding(pattern);
  hint.swizzle = smallestSwizzle(pattern);
  return hint;
}

}  // namespace tileloom::own
