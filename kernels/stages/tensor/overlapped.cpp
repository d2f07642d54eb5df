// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/overlapped.cuh"
}  // namespace

Stage describe_overlapped() {
  return {
      .id = "overlapped",
      .ladder = Ladder::Tensor,
      .rung = 7,
      .parent = "multistage",
      .title = "wgmma in flight",
      .idea = "one wgmma group stays in flight",
      .file = "kernels/stages/tensor/overlapped.cuh",
      .parameters = {{Parameter::BM, 128, 64, 512},
                     {Parameter::BN, 256, 64, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::CONSUMERS, 2},
                     {Parameter::SWIZZLE, 128, 32, 128},
                     {Parameter::STAGES, 4},
                     {Parameter::GROUP, 8}},
      .kind = Warpgroup{},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterHopperKernel<overlapped>,
      .boxes = overlapped_boxes,
  };
}

}  // namespace tileloom::ladder
