// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/async.cuh"
}  // namespace

Stage describe_async() {
  return {
      .id = "async",
      .rung = 12,
      .parent = "doublebuffered",
      .title = "asynchronous copies",
      .idea = "multistage cp.async pipeline",
      .file = "kernels/stages/fp32/async.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 128},
                     {Parameter::BK, 8},
                     {Parameter::WM, 64},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 4},
                     {Parameter::TM, 8},
                     {Parameter::TN, 4},
                     {Parameter::PAD, 4},
                     {Parameter::STAGES, 3}},
      .kind = Simt{.owns = Simt::Owns::WarpTile,
                   .fill = Simt::Fill::Float4s,
                   .next = Simt::Next::Copied,
                   .runs = true,
                   .fragmentsAhead = true},
      .rowsAlongX = false,
      .enter = emulator::enterKernel<async>,
  };
}

}  // namespace tileloom::ladder
