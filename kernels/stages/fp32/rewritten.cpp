// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"

#include "kernels/device/parts.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/rewritten.cuh"
}  // namespace

Stage describe_rewritten() {
  return {
      .id = "rewritten",
      .rung = 16,
      .parent = "scheduled",
      .title = "main loop rewritten",
      .idea = "rewritten SASS, split-K last wave",
      .file = "kernels/stages/fp32/rewritten.cuh",
      .parameters = {{Parameter::BM, 128},
                     {Parameter::BN, 256},
                     {Parameter::BK, 8},
                     {Parameter::WM, 64},
                     {Parameter::WN, 64},
                     {Parameter::WNITER, 2},
                     {Parameter::TM, 4},
                     {Parameter::TN, 4},
                     {Parameter::PAD, 4},
                     {Parameter::GROUP, 8},
                     {Parameter::SPLIT, 4}},
      .kind = Simt{.owns = Simt::Owns::WarpTile,
                   .fill = Simt::Fill::Float4s,
                   .next = Simt::Next::AInRegisters,
                   .runs = true,
                   .fragmentsAhead = true},
      .rowsAlongX = false,
      .rewriter = 3,
      .enter = emulator::enterPartKernel<rewritten>,
  };
}

}  // namespace tileloom::ladder
