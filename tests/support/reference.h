// SPDX-License-Identifier: GPL-3.0-or-later
// The product that every stage is judged by, in double precision.
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

// The first element of `result` that is not alpha·A·B + beta·C within what FP32 rounding can
// explain, as a sentence; empty if all are right. A NaN is never right.
std::string firstWrong(const Operands& operands, std::span<const float> result);

}  // namespace tileloom::test
