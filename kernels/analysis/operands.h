// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows and columns a warp reads: of one instruction, or of all of a dot index.
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

// The distinct rows and columns of one matrix that were touched, as stretches without gaps.
struct Footprint {
  std::vector<Stretch> rows;
  std::vector<Stretch> columns;
  bool empty() const { return rows.empty(); }
};

// What the instruction itself reads or writes of the matrix.
Footprint footprint(const Moment& moment, Matrix matrix);

// What all lanes of the warp multiply at the dot index of instruction `index`; empty outside of dot
// indices. Read off the multiply-adds.
Footprint factorsOfDot(const Recording& recording, std::uint32_t warp, std::uint32_t index,
                       Matrix matrix);

// "64–67, 72–75, 80–83, …": `most` stretches at most, then an ellipsis.
std::string stretchText(const std::vector<Stretch>& stretches, std::size_t most);

}  // namespace tileloom::analysis
