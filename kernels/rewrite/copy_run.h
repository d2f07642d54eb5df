// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies that share one set of placeholders. The first copy after a shared load needs
// three of them (issue.h); the copies after it need none as long as no shared load comes between.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// From the placeholders, or the first copy, to the last copy: one instruction per offset.
// Instructions between the copies (addresses are computed, words of A are fetched) stay between
// them.
struct CopyRun {
  std::vector<int> offsets;  // of each instruction: multiply-adds from the first copy on
  bool empty() const { return offsets.empty(); }
  int length() const { return empty() ? 0 : offsets.back(); }  // from the first copy to the last
};

inline constexpr int kCopyDistance = 4;  // multiply-adds between two copies, at least

// The run that begins at instruction `at` of `part`; empty if none does. Between two instructions
// of which one is not a copy there are `gap` multiply-adds, and at least as many as there were
// cycles before.
CopyRun copyRunAt(std::span<const Op> part, std::size_t at, int gap);

}  // namespace tileloom::rewrite
