// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/boxes.h"

#include <algorithm>
#include <bit>

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

namespace {

// The bytes that L2 sends for one request of a TMA load, which is for sectors of one line. To one
// block it sends these sectors. A multicast packet has 64 bytes at least, and 96 where zeros are
// filled in.
std::uint64_t bytesSent(std::int64_t sectors, bool multicast, bool zeros) {
  constexpr std::uint64_t kLeast = 2 * kSectorBytes, kLeastWithZeros = 3 * kSectorBytes;
  const std::uint64_t bytes = kSectorBytes * static_cast<std::uint64_t>(sectors);
  return multicast ? std::max(bytes, zeros ? kLeastWithZeros : kLeast) : bytes;
}

}  // namespace

std::uint64_t bytesFetched(const emulator::Trace& trace, const emulator::BoxRecord& box) {
  constexpr std::int64_t kChunk = 16, kSector = kSectorBytes, kLine = kLineBytes;
  const Region inside = insideOf(trace, box);
  const std::int64_t pitch = 2 * std::int64_t{trace.arrays[box.matrix].columns};
  std::uint64_t bytes = 0;
  // Addresses [from, to) of one row. The part inside the matrix is requested line by line; a part
  // outside is one request.
  const auto request = [&](std::int64_t from, std::int64_t to, bool zeros) {
    if (to > from)
      bytes += bytesSent((to - 1) / kSector - from / kSector + 1, box.multicast, zeros);
  };
  const auto requestLines = [&](std::int64_t from, std::int64_t to, bool zerosAtEnd) {
    for (std::int64_t end = from; from < to; from = end) {
      end = std::min(to, (from / kLine + 1) * kLine);
      request(from, end, zerosAtEnd && end == to);
    }
  };
  for (std::int64_t y = box.y; y < std::int64_t{box.y} + box.rows; ++y) {
    const bool in = inside.columns > 0 && y >= inside.row && y < inside.row + inside.rows;
    if (!in) {  // it has no address: its chunks count from the beginning of the row of the box
      for (std::int64_t at = 0; at < 2 * std::int64_t{box.columns}; at += kLine)
        request(at, std::min(at + kLine, 2 * std::int64_t{box.columns}), true);
      continue;
    }
    // The border is between chunks of 16 bytes: a chunk with an element of the matrix is inside.
    const std::int64_t from = y * pitch + 2 * std::int64_t{box.x};
    const std::int64_t to = from + 2 * std::int64_t{box.columns};
    const std::int64_t first = from + 2 * (inside.column - box.x) / kChunk * kChunk;
    const std::int64_t used = 2 * (inside.column + inside.columns - box.x);
    const std::int64_t last = from + (used + kChunk - 1) / kChunk * kChunk;
    request(from, first, true);
    requestLines(first, last, used % kChunk != 0);
    request(last, to, true);
  }
  return bytes * static_cast<unsigned>(std::popcount(box.ranks));
}

}  // namespace tileloom::analysis
