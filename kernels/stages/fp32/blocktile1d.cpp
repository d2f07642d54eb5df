// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/blocktile1d.cuh"
}  // namespace

Stage describe_blocktile1d() {
  return {
      .id = "blocktile1d",
      .rung = 4,
      .literature = 4,
      .parent = "shared",
      .title = "1D block tiling",
      .idea = "each thread computes a column of C",
      .file = "kernels/stages/fp32/blocktile1d.cuh",
      .parameters = {{Parameter::BM, 64, 1, 256},
                     {Parameter::BN, 64, 1, 256},
                     {Parameter::BK, 8, 1, 64},
                     {Parameter::TM, 8, 1, 64}},
      .kind = Simt{.owns = Simt::Owns::Column, .fill = Simt::Fill::Floats},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<blocktile1d>,
  };
}

}  // namespace tileloom::ladder
