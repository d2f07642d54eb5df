// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/boxes.h"

#include <bit>

#include "kernels/analysis/memory/box_requests.h"
#include "kernels/analysis/memory/coalescing.h"

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

std::uint64_t bytesFetched(const emulator::Trace& trace, const emulator::BoxRecord& box) {
  const Region inside = insideOf(trace, box);
  const std::int64_t pitch = 2 * std::int64_t{trace.arrays[box.matrix].columns};
  std::uint64_t bytes = 0;
  for (std::int64_t y = box.y; y < std::int64_t{box.y} + box.rows; ++y) {
    RequestedRow row{2 * std::int64_t{box.columns}, y * pitch + 2 * std::int64_t{box.x}, 0, 0};
    if (inside.columns > 0 && y >= inside.row && y < inside.row + inside.rows) {
      row.from = 2 * (inside.column - box.x);
      row.to = 2 * (inside.column + inside.columns - box.x);
    }
    bytes += bytesFetched(row, box.multicast);
  }
  return bytes * static_cast<unsigned>(std::popcount(box.ranks));
}

}  // namespace tileloom::analysis
