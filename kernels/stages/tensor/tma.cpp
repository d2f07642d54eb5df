// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/tma.cuh"
}  // namespace

Stage describe_tma() {
  return {
      .id = "tma",
      .ladder = Ladder::Tensor,
      .rung = 4,
      .parent = "swizzled",
      .title = "TMA loads",
      .idea = "TMA loads, counted by an mbarrier",
      .file = "kernels/stages/tensor/tma.cuh",
      .parameters = {{Parameter::BM, 128, 16, 256},
                     {Parameter::BN, 128, 16, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::WM, 64, 16, 256},
                     {Parameter::WN, 64, 16, 256},
                     {Parameter::SWIZZLE, 128, 32, 128}},
      .kind = WarpMma{.fill = WarpMma::Fill::Tma},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterHopperKernel<tma>,
      .boxes = tma_boxes,
  };
}

}  // namespace tileloom::ladder
