// SPDX-License-Identifier: GPL-3.0-or-later
// What a stage's kernel is called with, in the order of its parameters. Whoever launches a stage
// takes them from here.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "kernels/gpu/operands.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

// Bytes that the blocks of a launch need to leave sums for each other (Operands::left): 0 where
// they leave none.
std::size_t leftBytes(const Stage& stage, const TileShape& tile, int blocks);

class KernelArguments {
 public:
  // For operands that are padded as this stage and tile want them (see paddedProblem). They stay
  // valid until the operands are padded anew. The errors are those of tensorMapOf.
  static Result<KernelArguments> of(const Driver& driver, const Stage& stage, const TileShape& tile,
                                    const Operands& operands);

  // Of each parameter where its value stands: in this object, or a copy that must not be moved.
  std::vector<void*> pointers();

 private:
  // Boxes: of A and B; StoredBoxes: of C, too; Split: and sums that blocks leave for each other.
  enum class Form : std::uint8_t { Floats, Halves, Boxes, StoredBoxes, Split };

  Form form_ = Form::Floats;
  unsigned m_ = 0, n_ = 0, k_ = 0;
  float alpha_ = kAlpha, beta_ = kBeta;
  cu::DevicePtr a_ = 0, b_ = 0, c_ = 0, left_ = 0;
  std::array<cu::TensorMap, 3> maps_;  // of A, B and C, where the kernel takes them so
};

}  // namespace tileloom::gpu
