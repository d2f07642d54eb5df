// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements of a TMA box are inside its matrix. TMA writes zeros for the others.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

// Rows [top, bottom) and columns [left, right) of the matrix.
struct BoxInside {
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;

  bool empty() const { return bottom <= top || right <= left; }
  bool contains(std::int64_t row, std::int64_t column) const {
    return row >= top && row < bottom && column >= left && column < right;
  }
};

// `matrix` is the box's; `kEnd` is the K that the kernel gets (Trace::kEnd), which also ends the
// matrix along K.
inline BoxInside insideOf(const BoxRecord& box, const Array& matrix, std::uint32_t kEnd) {
  const std::int64_t rows = box.matrix == kArrayB ? std::min(matrix.rows, kEnd) : matrix.rows;
  const std::int64_t columns =
      box.matrix == kArrayA ? std::min(matrix.columns, kEnd) : matrix.columns;
  return {std::max<std::int64_t>(box.y, 0), std::max<std::int64_t>(box.x, 0),
          std::min<std::int64_t>(std::int64_t{box.y} + box.rows, rows),
          std::min<std::int64_t>(std::int64_t{box.x} + box.columns, columns)};
}

}  // namespace tileloom::emulator
