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
#include "kernels/stages/tensor/specialised.cuh"
}  // namespace

Stage describe_specialised() {
  return {
      .id = "specialised",
      .ladder = Ladder::Tensor,
      .rung = 8,
      .parent = "overlapped",
      .title = "warp specialisation",
      .idea = "warp-specialised: one producer warp",
      .file = "kernels/stages/tensor/specialised.cuh",
      .parameters = {{Parameter::BM, 128, 64, 512},
                     {Parameter::BN, 128, 64, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::CONSUMERS, 1, 1, 3},
                     {Parameter::SWIZZLE, 128, 32, 128},
                     {Parameter::STAGES, 4},
                     {Parameter::GROUP, 8}},
      .kind = Warpgroup{.roles = true},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterHopperKernel<specialised>,
      .boxes = specialised_boxes,
  };
}

}  // namespace tileloom::ladder
