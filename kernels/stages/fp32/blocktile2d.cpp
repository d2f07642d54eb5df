// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/blocktile2d.cuh"
}  // namespace

Stage describe_blocktile2d() {
  return {
      .id = "blocktile2d",
      .rung = 5,
      .literature = 5,
      .parent = "blocktile1d",
      .title = "2D block tiling",
      .idea = "each thread computes a tile of C",
      .file = "kernels/stages/fp32/blocktile2d.cuh",
      .parameters = {{Parameter::BM, 128, 1, 256},
                     {Parameter::BN, 128, 1, 256},
                     {Parameter::BK, 8, 1, 64},
                     {Parameter::TM, 8},
                     {Parameter::TN, 8, 1, 32}},
      .kind = Simt{.owns = Simt::Owns::Tile, .fill = Simt::Fill::Floats},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<blocktile2d>,
  };
}

}  // namespace tileloom::ladder
