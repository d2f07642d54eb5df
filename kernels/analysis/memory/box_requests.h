// SPDX-License-Identifier: GPL-3.0-or-later
// The requests of a TMA load (rules 64 and 71 of docs/hardware.md): L2 gets one for each row of the
// box and line of 128 bytes.
#pragma once

#include <cstdint>

namespace tileloom::analysis {

// One row of a box, in bytes.
struct RequestedRow {
  std::int64_t bytes = 0;  // of the row of the box
  // The address of its first byte, if the row of the matrix continued there; a row that is
  // completely outside has none.
  std::int64_t at = 0;
  std::int64_t from = 0, to = 0;  // the part inside the matrix, from `at` on; equal: none
};

// The bytes that the hardware counts for it at one receiving block.
std::uint64_t bytesFetched(const RequestedRow& row, bool multicast);

}  // namespace tileloom::analysis
