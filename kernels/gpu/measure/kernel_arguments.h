// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a stage's kernel, in the order of its parameters. Every launch of a stage takes
// them from here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/gpu/measure/operands.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

// The memory in which the blocks of a launch on a GPU with this many SMs store partial sums for
// each other (Operands::left). `padded` as in launchOf().
struct LeftMemory {
  std::size_t bytes = 0;  // 0: they store none
  // Contents of its beginning before a launch, whatever follows. Empty: all of it is 0.
  std::vector<std::uint32_t> head;
};
LeftMemory leftMemory(const Stage& stage, const TileShape& tile, const Problem& padded, int sms);

class KernelArguments {
 public:
  // For operands that are padded for this stage and tile (see paddedProblem). They stay valid until
  // the operands are padded again. The errors are those of tensorMapOf.
  static Result<KernelArguments> of(const Driver& driver, const Stage& stage, const TileShape& tile,
                                    const Operands& operands);

  // The address of each parameter's value: in this object, or in a copy that must not be moved.
  std::vector<void*> pointers();

 private:
  KernelForm form_ = KernelForm::Floats;
  unsigned m_ = 0, n_ = 0, k_ = 0;
  float alpha_ = kAlpha, beta_ = kBeta;
  cu::DevicePtr a_ = 0, b_ = 0, c_ = 0, left_ = 0;
  std::array<cu::TensorMap, 3> maps_;  // of A, B and C, if the kernel takes them so
};

}  // namespace tileloom::gpu
