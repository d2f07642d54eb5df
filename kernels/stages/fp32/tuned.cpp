// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/tuned.cuh"
}  // namespace

Stage describe_tuned() {
  return {
      .id = "tuned",
      .rung = 14,
      .parent = "rasterised",
      .title = "tuned for the chip",
      .idea = "earlier ideas where they pay, H100",
      .file = "kernels/stages/fp32/tuned.cuh",
      .parameters = {{Parameter::BM, 64},
                     {Parameter::BN, 128},
                     {Parameter::BK, 16},
                     {Parameter::WM, 32},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 2},
                     {Parameter::TM, 4},
                     {Parameter::TN, 4},
                     {Parameter::PAD, 4},
                     {Parameter::GROUP, 8}},
      .kind = Simt{.owns = Simt::Owns::WarpTile,
                   .fill = Simt::Fill::Float4s,
                   .next = Simt::Next::AInRegisters,
                   .runs = true,
                   .fragmentsAhead = true},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<tuned>,
  };
}

}  // namespace tileloom::ladder
