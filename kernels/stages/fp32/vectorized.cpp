// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/vectorized.cuh"
}  // namespace

Stage describe_vectorized() {
  return {
      .id = "vectorized",
      .rung = 6,
      .literature = 6,
      .parent = "blocktile2d",
      .title = "vectorised",
      .idea = "128-bit accesses, A transposed",
      .file = "kernels/stages/fp32/vectorized.cuh",
      .parameters = {{Parameter::BM, 128, 4, 256},
                     {Parameter::BN, 128, 4, 256},
                     {Parameter::BK, 8, 4, 64},
                     {Parameter::TM, 8},
                     {Parameter::TN, 8}},
      .kind = Simt{.owns = Simt::Owns::Tile, .fill = Simt::Fill::OneFloat4},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<vectorized>,
  };
}

}  // namespace tileloom::ladder
