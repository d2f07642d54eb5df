// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/doublebuffered.cuh"
}  // namespace

Stage describe_doublebuffered() {
  return {
      .id = "doublebuffered",
      .rung = 11,
      .parent = "fragments",
      .title = "double buffering",
      .idea = "prefetch of the next K tile",
      .file = "kernels/stages/fp32/doublebuffered.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 128},
                     {Parameter::BK, 8},
                     {Parameter::WM, 32},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 2},
                     {Parameter::TM, 4},
                     {Parameter::TN, 4},
                     {Parameter::PAD, 4}},
      .kind = Simt{.owns = Simt::Owns::WarpTile,
                   .fill = Simt::Fill::Float4s,
                   .next = Simt::Next::Registers,
                   .runs = true,
                   .fragmentsAhead = true},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<doublebuffered>,
  };
}

}  // namespace tileloom::ladder
