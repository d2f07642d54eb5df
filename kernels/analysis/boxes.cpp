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

std::uint64_t bytesFetched(const emulator::Trace& trace, const emulator::BoxRecord& box) {
  const Region inside = insideOf(trace, box);
  if (inside.rows <= 0 || inside.columns <= 0) return box.bytes;
  const std::int64_t columns = trace.arrays[box.matrix].columns;
  constexpr std::int64_t kElements = kSectorBytes / 2;
  const auto touched = [](std::int64_t from, std::int64_t to) {  // addresses, in elements
    return to <= from ? 0 : (to - 1) / kElements - from / kElements + 1;
  };
  std::int64_t sectors = 0;
  for (std::int64_t y = box.y; y < std::int64_t{box.y} + box.rows; ++y) {
    // What lies outside counts as if the row went on there. Rows that begin before the matrix are
    // not asked for by any rung.
    const std::int64_t from = y * columns + box.x, to = from + box.columns;
    const bool in = y >= inside.row && y < inside.row + inside.rows;
    const std::int64_t end = in ? y * columns + inside.column + inside.columns : from;
    sectors += touched(from, end) + touched(end, to);
  }
  return static_cast<std::uint64_t>(sectors) * kSectorBytes;
}

}  // namespace tileloom::analysis
