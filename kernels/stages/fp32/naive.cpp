// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/naive.cuh"
}  // namespace

Stage describe_naive() {
  return {
      .id = "naive",
      .rung = 1,
      .literature = 1,
      .parent = {},  // the first rung
      .title = "naive",
      .idea = "one thread computes one element of C",
      .file = "kernels/stages/fp32/naive.cuh",
      .parameters = {{Parameter::BLOCKSIZE, 32}},
      .kind = Simt{},
      .rowsAlongX = true,
      .squareBlock = true,
      .enter = emulator::enterKernel<naive>,
  };
}

}  // namespace tileloom::ladder
