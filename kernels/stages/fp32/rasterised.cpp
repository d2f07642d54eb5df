// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/rasterised.cuh"
}  // namespace

Stage describe_rasterised() {
  return {
      .id = "rasterised",
      .rung = 13,
      .parent = "async",
      .title = "block rasterisation",
      .idea = "rasterised block order, reuses L2",
      .file = "kernels/stages/fp32/rasterised.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 128},
                     {Parameter::BK, 8},
                     {Parameter::WM, 64},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 4},
                     {Parameter::TM, 8},
                     {Parameter::TN, 4},
                     {Parameter::PAD, 4},
                     {Parameter::STAGES, 3},
                     {Parameter::GROUP, 16}},
      .kind = Simt{.owns = Simt::Owns::WarpTile,
                   .fill = Simt::Fill::Float4s,
                   .next = Simt::Next::Copied,
                   .runs = true,
                   .fragmentsAhead = true},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<rasterised>,
  };
}

}  // namespace tileloom::ladder
