// SPDX-License-Identifier: GPL-3.0-or-later
// The rows and columns that a warp reads: with one instruction, or with all of one k.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct Stretch {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool operator==(const Stretch&) const = default;
};

// The distinct rows and columns of one matrix that were touched, as ranges without gaps.
struct Footprint {
  std::vector<Stretch> rows;
  std::vector<Stretch> columns;
  bool empty() const { return rows.empty(); }
};

// The part of the matrix that the instruction itself reads or writes.
Footprint footprint(const Moment& moment, Matrix matrix);

// The factors of all lanes of the warp at the k of instruction `index`; empty outside the loop over
// k. Taken from the multiply-adds.
Footprint factorsOfDot(const Recording& recording, std::uint32_t warp, std::uint32_t index,
                       Matrix matrix);

// "64–67, 72–75, 80–83, …": at most `most` ranges, then an ellipsis.
std::string stretchText(const std::vector<Stretch>& stretches, std::size_t most);

}  // namespace tileloom::analysis
