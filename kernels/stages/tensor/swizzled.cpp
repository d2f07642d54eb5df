// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/swizzled.cuh"
}  // namespace

Stage describe_swizzled() {
  return {
      .id = "swizzled",
      .ladder = Ladder::Tensor,
      .rung = 2,
      .parent = "mma",
      .title = "swizzled tiles",
      .idea = "XOR swizzle: no bank conflicts",
      .file = "kernels/stages/tensor/swizzled.cuh",
      .parameters = {{Parameter::BM, 128, 16, 256},
                     {Parameter::BN, 128, 16, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::WM, 64, 16, 256},
                     {Parameter::WN, 64, 16, 256},
                     {Parameter::SWIZZLE, 128}},
      .kind = WarpMma{},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterTensorKernel<swizzled>,
  };
}

}  // namespace tileloom::ladder
