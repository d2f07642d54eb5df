// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/mma.cuh"
}  // namespace

Stage describe_mma() {
  return {
      .id = "mma",
      .ladder = Ladder::Tensor,
      .rung = 1,
      .parent = "warptiled",
      .title = "tensor cores",
      .idea = "ldmatrix and mma.sync",
      .file = "kernels/stages/tensor/mma.cuh",
      .parameters = {{Parameter::BM, 128, 16, 256},
                     {Parameter::BN, 128, 16, 256},
                     {Parameter::BK, 32, 16, 128},
                     {Parameter::WM, 64, 16, 256},
                     {Parameter::WN, 64, 16, 256}},
      .kind = WarpMma{},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterTensorKernel<mma>,
  };
}

}  // namespace tileloom::ladder
