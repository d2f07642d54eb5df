// SPDX-License-Identifier: GPL-3.0-or-later
// What a recorded block multiplies, whatever kernel it is: which elements of C it stores, and
// whether each is the sum of all products along K, once each.
#pragma once

#include <cstdint>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

struct BlockProduct {
  std::uint64_t elements = 0;               // of C that are sums of the block
  std::uint32_t firstRow = 0, lastRow = 0;  // of these
  std::uint32_t firstColumn = 0, lastColumn = 0;
  std::uint64_t products = 0;  // that are added to them
  std::uint64_t complete = 0;  // elements with each product along K, once each
  std::uint64_t foreign = 0;   // products of another row of A or column of B
  std::uint64_t repeated = 0;  // products that are added once more
  bool operator==(const BlockProduct&) const = default;
  // Whether the elements are all of a rectangle.
  bool isRectangle() const {
    return elements == std::uint64_t{lastRow - firstRow + 1} * (lastColumn - firstColumn + 1);
  }
};

// Of a trace with operands. A wgmma of other than 16-bit elements is not in it.
BlockProduct blockProductOf(const emulator::Trace& trace);

}  // namespace tileloom::analysis
