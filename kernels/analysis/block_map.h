// SPDX-License-Identifier: GPL-3.0-or-later
// The owner of each element of C, and the parts of A and B in each K tile: taken from the trace, so
// that it holds for any mapping of a kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/analysis/element.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

struct BlockMap {
  static constexpr std::uint16_t kNobody = 0xFFFF;

  Region c;                          // the elements of C that the block stores
  std::vector<std::uint16_t> owner;  // [row * columns + column] within c: thread, or kNobody
  std::vector<Region> tileA, tileB;  // per traced K tile: the parts of A and B that the block loads
  // Per thread: the solid rectangles that its elements of C form, in row-major order of their first
  // element. A thread tile in several subtiles gives several.
  std::vector<std::vector<Region>> subtiles;
  std::vector<Region> warps;    // bounding box of each warp's elements
  std::vector<bool> warpSolid;  // does the warp own all of its box?

  // The thread that owns this element of C, or kNobody.
  std::uint16_t ownerOf(std::int64_t row, std::int64_t column) const;
};

BlockMap blockMap(const emulator::Trace& trace);

}  // namespace tileloom::analysis
