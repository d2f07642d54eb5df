// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/scheduled.cuh"
}  // namespace

Stage describe_scheduled() {
  return {
      .id = "scheduled",
      .rung = 15,
      .parent = "tuned",
      .title = "scheduled by the source",
      .idea = "the source orders loads and FMAs",
      .file = "kernels/stages/fp32/scheduled.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 256},
                     {Parameter::BK, 8},
                     {Parameter::WM, 64},
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
      .assemblerLevel = 1,
      .enter = emulator::enterKernel<scheduled>,
  };
}

}  // namespace tileloom::ladder
