// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/stored.cuh"

#include "kernels/device/cluster.cuh"
#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/stored.cuh"
}  // namespace

Stage describe_stored() {
  return {
      .id = "stored",
      .ladder = Ladder::Tensor,
      .rung = 12,
      .parent = "cluster",
      .title = "TMA stores",
      .idea = "TMA stores overlap the next tile",
      .file = "kernels/stages/tensor/stored.cuh",
      .parameters = {{Parameter::BM, 128, 128, 256},
                     {Parameter::BN, 256, 64, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::CONSUMERS, 2, 2, 3},
                     {Parameter::SWIZZLE, 128, 32, 128},
                     {Parameter::STAGES, 3},
                     {Parameter::GROUP, 8},
                     {Parameter::CLUSTER, 2}},
      .kind = Warpgroup{.roles = true, .registerPool = true, .persistent = true, .tmaStores = true},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterStoredKernel<stored>,
      .boxes = stored_boxes,
  };
}

}  // namespace tileloom::ladder
