// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/boxes.h"

#include "kernels/analysis/coalescing.h"

namespace tileloom::analysis {

Region insideOf(const emulator::Trace& trace, const emulator::BoxRecord& box) {
  const emulator::BoxInside inside = emulator::insideOf(box, trace.arrays[box.matrix], trace.kEnd);
  if (inside.empty()) return {};
  return {inside.top, inside.left, inside.bottom - inside.top, inside.right - inside.left};
}

std::uint64_t sectorsOf(const emulator::Trace& trace, const emulator::BoxRecord& box) {
  const Region inside = insideOf(trace, box);
  const std::int64_t columns = trace.arrays[box.matrix].columns;
  constexpr std::int64_t kElements = kSectorBytes / 2;
  std::uint64_t sectors = 0;
  for (std::int64_t row = inside.row; row < inside.row + inside.rows; ++row) {
    const std::int64_t first = row * columns + inside.column, last = first + inside.columns - 1;
    sectors += static_cast<std::uint64_t>(last / kElements - first / kElements + 1);
  }
  return sectors;
}

}  // namespace tileloom::analysis
