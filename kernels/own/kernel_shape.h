// SPDX-License-Identifier: GPL-3.0-or-later
// What the recording of one block says of its kernel: which part of C the block computes, and how
// much of K it fetches at a time.
#pragma once

#include <cstdint>

#include "kernels/emulator/trace.h"

namespace tileloom::own {

struct KernelShape {
  std::uint32_t firstRow = 0, firstColumn = 0;  // of the elements of C that the block stores
  std::uint32_t rows = 0, columns = 0;          // of the smallest rectangle with all of them
  bool whole = false;                           // it stores all of that rectangle
  bool product = false;                         // each is the sum of all products along K
  // Elements of K that are fetched into shared memory at a time; 0: none is.
  std::uint32_t stepK = 0;
  std::uint32_t buffers = 0;  // K tiles that shared memory holds at a time; 0 without shared tiles

  bool known() const { return rows > 0 && columns > 0; }
};

// Of a trace with operands. The elements of K that threads store into shared memory between two
// barriers, or that TMA loads for one phase of an mbarrier, are a K tile: the number that occurs
// most often.
KernelShape shapeOf(const emulator::Trace& trace);

}  // namespace tileloom::own
