// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/element.h"

#include <algorithm>

namespace tileloom::analysis {

void Region::add(std::int64_t r, std::int64_t c) {
  if (empty()) {
    *this = {r, c, 1, 1};
    return;
  }
  const std::int64_t bottom = std::max(row + rows, r + 1);
  const std::int64_t right = std::max(column + columns, c + 1);
  row = std::min(row, r);
  column = std::min(column, c);
  rows = bottom - row;
  columns = right - column;
}

}  // namespace tileloom::analysis
