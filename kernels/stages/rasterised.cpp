// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/rasterised.cuh"
}  // namespace

Stage describe_rasterised() {
  return {
      .id = "rasterised",
      .rung = 13,
      .parent = "async",
      .title = "block rasterisation",
      .idea = "an order of blocks that reuses L2",
      .file = "kernels/stages/rasterised.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 128},
                {Knob::BK, 8},
                {Knob::WM, 64},
                {Knob::WN, 64},
                {Knob::WNITER, 4},
                {Knob::TM, 8},
                {Knob::TN, 4},
                {Knob::PAD, 4},
                {Knob::STAGES, 3},
                {Knob::GROUP, 16}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::AsyncFill | Trait::Rasterised,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<rasterised>,
  };
}

}  // namespace tileloom::ladder
