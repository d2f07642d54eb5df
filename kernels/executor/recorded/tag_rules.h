// SPDX-License-Identifier: GPL-3.0-or-later
// What a result is, by what its sources are. A scaled element stays that element, and a sum stays
// that sum when something is added to it that is not a product: so the end of a kernel, alpha times
// the sum plus beta times an element of C, keeps the sum.
#pragma once

#include "kernels/executor/recorded/tags.h"

namespace tileloom::executor::recorded {

// A sum if one of them is one; otherwise the only one that is known; 0: several elements, or none.
inline std::uint32_t kept(std::uint32_t x, std::uint32_t y) {
  if (isSum(x)) return x;
  if (isSum(y)) return y;
  return x == 0 ? y : y == 0 ? x : 0;
}

// C + A * B where A and B are not a product of the two matrices.
inline std::uint32_t keptOf(std::uint32_t x, std::uint32_t y, std::uint32_t added) {
  return isSum(added) ? added : kept(kept(x, y), added);
}

// Whether all lanes add a product to a sum, as in the main loop of a kernel. The same as
// multiplies() and isSum(), in operations that a vector unit has for each lane.
inline bool allAdd(const LaneTags& x, const LaneTags& y, const LaneTags& sums) {
  std::uint32_t multiply = ~0u, noSum = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint32_t a = x.lane[i], c = sums.lane[i] - 1;
    const std::uint32_t differ = a ^ y.lane[i];
    // The two matrices are 01 and 10: both bits differ, and so do those of `a`.
    multiply &= differ & differ << 1 & (a ^ a << 1);
    // A sum is from 1 to 2^30 - 3.
    noSum |= c | (c + 3);
  }
  return multiply >> 31 != 0 && noSum >> 30 == 0;
}

struct Fused {
  std::uint32_t products = 0;  // lanes that multiply an element of A and one of B
  bool begins = false;         // in one of these a new sum begins, `fresh`
};

// x * y + added in each lane, into `result`. `fresh`: a sum that has not begun yet.
inline Fused fuse(const LaneTags& x, const LaneTags& y, const LaneTags& added, std::uint32_t lanes,
                  std::uint32_t fresh, LaneTags& result) {
  Fused done;
  if (lanes == kAllLanes && allAdd(x, y, added)) {
    result = added;
    done.products = kAllLanes;
    return done;
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint32_t a = x.lane[i], b = y.lane[i], c = added.lane[i];
    if ((lanes >> i & 1) == 0) {
      result.lane[i] = c;
    } else if (multiplies(a, b)) {
      done.products |= 1u << i;
      done.begins = done.begins || !isSum(c);
      result.lane[i] = isSum(c) ? c : fresh;
    } else {
      result.lane[i] = keptOf(a, b, c);
    }
  }
  return done;
}

}  // namespace tileloom::executor::recorded
