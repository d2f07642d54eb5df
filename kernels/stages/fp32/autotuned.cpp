// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/autotuned.cuh"
}  // namespace

Stage describe_autotuned() {
  return {
      .id = "autotuned",
      .rung = 7,
      .literature = 9,
      .parent = "vectorized",
      .title = "autotuned",
      .idea = "tile parameters found by a search",
      .file = "kernels/stages/fp32/autotuned.cuh",
      .parameters = {{Parameter::BM, 128, 4, 256},
                     {Parameter::BN, 128, 4, 256},
                     {Parameter::BK, 16, 4, 64},
                     {Parameter::TM, 8},
                     {Parameter::TN, 8}},
      .kind = Simt{.owns = Simt::Owns::Tile, .fill = Simt::Fill::Float4s},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<autotuned>,
  };
}

}  // namespace tileloom::ladder
