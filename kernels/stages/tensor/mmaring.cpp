// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/mmaring.cuh"
}  // namespace

Stage describe_mmaring() {
  return {
      .id = "mmaring",
      .ladder = Ladder::Tensor,
      .rung = 3,
      .parent = "swizzled",
      .title = "multistage pipeline",
      .idea = "multistage cp.async, Ampere's best",
      .file = "kernels/stages/tensor/mmaring.cuh",
      .parameters = {{Parameter::BM, 128, 16, 256},
                     {Parameter::BN, 128, 16, 256},
                     {Parameter::BK, 64, 32, 128},
                     {Parameter::WM, 64, 16, 256},
                     {Parameter::WN, 64, 16, 256},
                     {Parameter::SWIZZLE, 128, 32, 128},
                     {Parameter::STAGES, 3},
                     {Parameter::GROUP, 8}},
      .kind = WarpMma{.fill = WarpMma::Fill::Copied, .fragmentsAhead = true},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterTensorKernel<mmaring>,
  };
}

}  // namespace tileloom::ladder
