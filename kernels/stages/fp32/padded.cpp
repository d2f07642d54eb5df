// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/padded.cuh"
}  // namespace

Stage describe_padded() {
  return {
      .id = "padded",
      .rung = 9,
      .parent = "warptiled",
      .title = "padded shared memory",
      .idea = "padded rows, fewer bank conflicts",
      .file = "kernels/stages/fp32/padded.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 128},
                     {Parameter::BK, 16, 4, 64},
                     {Parameter::WM, 64},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 4},
                     {Parameter::TM, 8},
                     {Parameter::TN, 4},
                     {Parameter::PAD, 4}},
      .kind = Simt{.owns = Simt::Owns::WarpTile, .fill = Simt::Fill::Float4s, .runs = true},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<padded>,
  };
}

}  // namespace tileloom::ladder
