// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/swizzled.cuh"
}  // namespace

Stage describe_swizzled() {
  return {
      .id = "swizzled",
      .ladder = Ladder::Tensor,
      .rung = 2,
      .parent = "mma",
      .title = "swizzled tiles",
      .idea = "XOR swizzle: no bank conflicts",
      .file = "kernels/stages/swizzled.cuh",
      .knobs = {{Knob::BM, 128, 16, 256},
                {Knob::BN, 128, 16, 256},
                {Knob::BK, 64, 16, 128},
                {Knob::WM, 64, 16, 256},
                {Knob::WN, 64, 16, 256},
                {Knob::SWIZZLE, 128}},
      .traits = Trait::TensorCore | Trait::SharedTiles | Trait::PaddedProblem | Trait::Panels,
      .arithmetics = {Arithmetic::Bf16, Arithmetic::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterTensorKernel<swizzled>,
  };
}

}  // namespace tileloom::ladder
