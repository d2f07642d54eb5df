// SPDX-License-Identifier: GPL-3.0-or-later
// The work of one thread at one k: the values it multiplies, which of them its registers hold so
// far, and which products it has added.
#pragma once

#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct Fragment {
  Element element;      // of A or B
  bool loaded = false;  // by this thread, at or before the instruction
  bool operator==(const Fragment&) const = default;
};

struct OuterProduct {
  std::vector<Fragment> a;    // the thread's column of A, by row: regM where the kernel has one
  std::vector<Fragment> b;    // its row of B, by column: regN
  std::vector<Element> done;  // elements of C whose product of this k has been added
  struct Term {
    Element a, b, c;
    bool operator==(const Term&) const = default;
  };
  std::optional<Term> now;   // the multiply-add being executed
  std::int64_t before = 0;   // products that each element of C had received before this k
  std::size_t products = 0;  // multiply-adds of the thread at this k
};

// For `thread` when its warp executes instruction `index`. Nothing outside the loop over k: while a
// K tile is filled, and before and after the loop over K.
std::optional<OuterProduct> outerProduct(const Recording& recording, std::uint32_t thread,
                                         std::uint32_t index);

}  // namespace tileloom::analysis
