// SPDX-License-Identifier: GPL-3.0-or-later
// What each half of each register holds, beside its value: an element of a matrix, or a sum. An
// FP32 number is named in the lower half, and so is an FP64 number in the first of its registers.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/emulator/provenance.h"
#include "kernels/executor/registers.h"

namespace tileloom::executor::recorded {

// The bits of an emulator::Provenance for each lane; 0: not known.
struct alignas(64) LaneTags {
  std::array<std::uint32_t, kLanes> lane{};
};

inline constexpr LaneTags kNoTags{};

struct TagRow {
  LaneTags lower, upper;
  bool anyLower = false, anyUpper = false;  // false: the tags are all 0

  const LaneTags& low() const { return anyLower ? lower : kNoTags; }
  const LaneTags& high() const { return anyUpper ? upper : kNoTags; }
};

// Writes `tags` for these lanes.
inline void putTags(LaneTags& to, bool& any, const LaneTags& tags, std::uint32_t lanes) {
  if (lanes == kAllLanes) {
    if (&tags != &to) to = tags;
  } else {
    for (std::uint32_t i = 0; i < kLanes; ++i)
      if ((lanes >> i & 1) != 0) to.lane[i] = tags.lane[i];
  }
  any = true;
}
inline void clearTags(LaneTags& to, bool& any, std::uint32_t lanes) {
  if (!any) return;
  if (lanes == kAllLanes) {
    to = kNoTags;
    any = false;
    return;
  }
  for (std::uint32_t i = 0; i < kLanes; ++i)
    if ((lanes >> i & 1) != 0) to.lane[i] = 0;
}

// The two halves of a word of memory.
using WordTags = std::array<std::uint32_t, 2>;

inline bool isElement(std::uint32_t tag) {
  return tag >> 30 != 0;
}
inline bool isSum(std::uint32_t tag) {
  return emulator::Provenance(tag).isAccumulator();
}
// An element of A and one of B.
inline bool multiplies(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t a = x >> 30, b = y >> 30;
  return a * b == 2;
}

}  // namespace tileloom::executor::recorded
