// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/rasterised.cuh"
}  // namespace

Stage describe_rasterised() {
  return {
      .id = "rasterised",
      .rung = 13,
      .title = "block rasterisation",
      .idea = "blocks at work share rows and columns",
      .file = "kernels/stages/rasterised.cuh",
      .knobs = {{Knob::BM, 128, 8, 256},
                {Knob::BN, 128, 8, 256},
                {Knob::BK, 8, 4, 32},
                {Knob::WM, 64, 4, 256},
                {Knob::WN, 64, 4, 256},
                {Knob::WNITER, 4, 1, 16},
                {Knob::TM, 8, 1, 32},
                {Knob::TN, 4, 4, 32},
                {Knob::PAD, 4, 0, 32},
                {Knob::STAGES, 3, 2, 8},
                {Knob::GROUP, 16, 1, 32}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::AsyncFill | Trait::Rasterised,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<rasterised>,
  };
}

}  // namespace tileloom::ladder
