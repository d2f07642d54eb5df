// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/fragments.cuh"
}  // namespace

Stage describe_fragments() {
  return {
      .id = "fragments",
      .rung = 10,
      .parent = "padded",
      .title = "fragment double buffering",
      .idea = "software pipeline of fragments",
      .file = "kernels/stages/fp32/fragments.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 128},
                     {Parameter::BK, 16},
                     {Parameter::WM, 32},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 2},
                     {Parameter::TM, 4},
                     {Parameter::TN, 4},
                     {Parameter::PAD, 4}},
      .kind = Simt{.owns = Simt::Owns::WarpTile,
                   .fill = Simt::Fill::Float4s,
                   .runs = true,
                   .fragmentsAhead = true},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<fragments>,
  };
}

}  // namespace tileloom::ladder
