// SPDX-License-Identifier: GPL-3.0-or-later
// The reference result of every stage, in double precision.
#pragma once

#include <span>
#include <string>

#include "kernels/tile/tile_shape.h"

namespace tileloom::test {

struct Operands {
  Problem problem;
  float alpha = 1;
  float beta = 0;
  std::span<const float> a;
  std::span<const float> b;
  std::span<const float> c;  // before
};

// A sentence on the first element of `result` that differs from alpha·A·B + beta·C by more than
// FP32 rounding can explain; empty if all are right. A NaN is never right.
std::string firstWrong(const Operands& operands, std::span<const float> result);

}  // namespace tileloom::test
