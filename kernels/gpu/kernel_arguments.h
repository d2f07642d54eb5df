// SPDX-License-Identifier: GPL-3.0-or-later
// What a stage's kernel is called with, in the order of its parameters. Whoever launches a stage
// takes them from here.
#pragma once

#include <array>
#include <vector>

#include "kernels/gpu/operands.h"

namespace tileloom::gpu {

class KernelArguments {
 public:
  // For operands that are padded as this stage and tile want them (see paddedProblem). They stay
  // valid until the operands are padded anew. The errors are those of tensorMapOf.
  static Result<KernelArguments> of(const Driver& driver, const Stage& stage, const TileShape& tile,
                                    const Operands& operands);

  // Of each parameter where its value stands: in this object, or a copy that must not be moved.
  std::vector<void*> pointers();

 private:
  enum class Form : std::uint8_t { Floats, Halves, Boxes };

  Form form_ = Form::Floats;
  unsigned m_ = 0, n_ = 0, k_ = 0;
  float alpha_ = kAlpha, beta_ = kBeta;
  cu::DevicePtr a_ = 0, b_ = 0, c_ = 0;
  std::array<cu::TensorMap, 2> maps_;  // of A and of B, where the kernel takes them so
};

}  // namespace tileloom::gpu
