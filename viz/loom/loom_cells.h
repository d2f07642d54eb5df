// SPDX-License-Identifier: GPL-3.0-or-later
// A cursor over the cells of the loom. Plain values: views show them.
#pragma once

#include <optional>

#include "kernels/analysis/recording.h"
#include "viz/base/widgets/cursor_move.h"

namespace tileloom {

// The cells of the loom: the slabs of A and B, and the block tile of C.
struct LoomCells {
  analysis::Region a, b, c;

  const analysis::Region& of(analysis::Matrix m) const {
    return m == analysis::Matrix::A ? a : m == analysis::Matrix::B ? b : c;
  }
};

// A place in the slab of A, the slab of B or the block tile, counted from its corner: it stays when
// the next K tile slides under it. A is to the left of C and B above it, so moves across an edge
// lead from one to the other; Next and Previous cycle through all three.
class LoomCursor {
 public:
  // False if there is nowhere to go. A move by several cells ends at the edge.
  bool move(const LoomCells& cells, CursorMove move, std::int64_t count = 1);
  void place(const LoomCells& cells, const analysis::Element& element);

  analysis::Element element(const LoomCells& cells) const;

 private:
  void clamp(const LoomCells& cells);
  bool crossEdge(const LoomCells& cells, CursorMove move);

  analysis::Matrix matrix_ = analysis::Matrix::C;
  std::int64_t row_ = 0;
  std::int64_t column_ = 0;
};

}  // namespace tileloom
