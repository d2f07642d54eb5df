// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/persistent.cuh"
}  // namespace

Stage describe_persistent() {
  return {
      .id = "persistent",
      .ladder = Ladder::Tensor,
      .rung = 10,
      .parent = "consumers",
      .title = "persistent kernel",
      .idea = "persistent, the producer runs ahead",
      .file = "kernels/stages/tensor/persistent.cuh",
      .parameters = {{Parameter::BM, 128, 128, 256},
                     {Parameter::BN, 256, 64, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::CONSUMERS, 2, 2, 3},
                     {Parameter::SWIZZLE, 128, 32, 128},
                     {Parameter::STAGES, 3},
                     {Parameter::GROUP, 8}},
      .kind = Warpgroup{.roles = true, .registerPool = true, .persistent = true},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterHopperKernel<persistent>,
      .boxes = persistent_boxes,
  };
}

}  // namespace tileloom::ladder
