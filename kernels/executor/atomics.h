// SPDX-License-Identifier: GPL-3.0-or-later
// Executes atomic operations. The lanes of a warp execute one after the other, from the lowest on.
#pragma once

#include "kernels/executor/operation.h"

namespace tileloom::executor {

// `kind` is what is computed, `table` of which numbers, `first` whether it was done here.
void atomicGlobal(Warp& warp, const Operation& o);  // ATOMG, ATOM, RED
void atomicShared(Warp& warp, const Operation& o);  // ATOMS

enum class Atomic : std::uint8_t {
  Add,
  Least,
  Most,
  Increment,
  Decrement,
  And,
  Or,
  Xor,
  Exchange,
  Compare,      // stores B where A is found
  CompareTest,  // the same, but the result is whether it did
};
enum class AtomicNumber : std::uint8_t { Whole, Fp32, Fp64, Fp16Pair };

}  // namespace tileloom::executor
