// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/wgmma.cuh"
}  // namespace

Stage describe_wgmma() {
  return {
      .id = "wgmma",
      .ladder = Ladder::Tensor,
      .rung = 5,
      .parent = "tma",
      .title = "warpgroup MMA",
      .idea = "wgmma reads shared memory directly",
      .file = "kernels/stages/tensor/wgmma.cuh",
      .parameters = {{Parameter::BM, 128, 64, 512},
                     {Parameter::BN, 128, 64, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::CONSUMERS, 1},
                     {Parameter::SWIZZLE, 128, 32, 128}},
      .kind = Warpgroup{},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterHopperKernel<wgmma>,
      .boxes = wgmma_boxes,
  };
}

}  // namespace tileloom::ladder
