// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/scheduled.cuh"
}  // namespace

Stage describe_scheduled() {
  return {
      .id = "scheduled",
      .rung = 15,
      .parent = "tuned",
      .title = "scheduled by the source",
      .idea = "the source orders loads and FMAs",
      .file = "kernels/stages/scheduled.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 256},
                {Knob::BK, 8},
                {Knob::WM, 64},
                {Knob::WN, 64},
                {Knob::WNITER, 2},
                {Knob::TM, 4},
                {Knob::TN, 4},
                {Knob::PAD, 4},
                {Knob::GROUP, 8}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::TwoBuffers | Trait::StagedA |
                Trait::Rasterised,
      .rowsAlongX = false,
      .assemblerLevel = 1,
      .enter = emulator::enterKernel<scheduled>,
  };
}

}  // namespace tileloom::ladder
