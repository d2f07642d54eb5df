// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/doublebuffered.cuh"
}  // namespace

Stage describe_doublebuffered() {
  return {
      .id = "doublebuffered",
      .rung = 11,
      .parent = "fragments",
      .title = "double buffering",
      .idea = "the next K tile loads meanwhile",
      .file = "kernels/stages/doublebuffered.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 128},
                {Knob::BK, 8},
                {Knob::WM, 32},
                {Knob::WN, 64},
                {Knob::WNITER, 2},
                {Knob::TM, 4},
                {Knob::TN, 4},
                {Knob::PAD, 4}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::TwoBuffers | Trait::StagedFill,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<doublebuffered>,
  };
}

}  // namespace tileloom::ladder
