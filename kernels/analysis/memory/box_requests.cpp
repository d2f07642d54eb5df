// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/box_requests.h"

#include <algorithm>

#include "kernels/analysis/memory/coalescing.h"

namespace tileloom::analysis {
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

std::uint64_t bytesFetched(const RequestedRow& row, bool multicast) {
  constexpr std::int64_t kChunk = 16, kSector = kSectorBytes, kLine = kLineBytes;
  std::uint64_t bytes = 0;
  // Addresses [from, to). The part inside the matrix is requested line by line; a part outside is
  // one request.
  const auto request = [&](std::int64_t from, std::int64_t to, bool zeros) {
    if (to > from) bytes += bytesSent((to - 1) / kSector - from / kSector + 1, multicast, zeros);
  };
  if (row.to <= row.from) {  // its chunks count from the beginning of the row of the box
    for (std::int64_t at = 0; at < row.bytes; at += kLine)
      request(at, std::min(at + kLine, row.bytes), true);
    return bytes;
  }
  // The border is between chunks of 16 bytes: a chunk with an element of the matrix is inside.
  const std::int64_t end = row.at + row.bytes;
  const std::int64_t first = row.at + row.from / kChunk * kChunk;
  const std::int64_t last = row.at + (row.to + kChunk - 1) / kChunk * kChunk;
  request(row.at, first, true);
  for (std::int64_t from = first; from < last;) {
    const std::int64_t next = std::min(last, (from / kLine + 1) * kLine);
    request(from, next, row.to % kChunk != 0 && next == last);
    from = next;
  }
  request(last, end, true);
  return bytes;
}

}  // namespace tileloom::analysis
