// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/warptiled.cuh"
}  // namespace

Stage describe_warptiled() {
  return {
      .id = "warptiled",
      .rung = 8,
      .literature = 10,
      .parent = "autotuned",
      .title = "warp tiling",
      .idea = "each warp computes its own tile of C",
      .file = "kernels/stages/fp32/warptiled.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 128},
                     {Parameter::BK, 16, 4, 64},
                     {Parameter::WM, 64},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 4},
                     {Parameter::TM, 8},
                     {Parameter::TN, 4}},
      .kind = Simt{.owns = Simt::Owns::WarpTile, .fill = Simt::Fill::Float4s},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<warptiled>,
  };
}

}  // namespace tileloom::ladder
