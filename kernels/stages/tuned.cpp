// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tuned.cuh"
}  // namespace

Stage describe_tuned() {
  return {
      .id = "tuned",
      .rung = 14,
      .parent = "rasterised",
      .title = "tuned for the chip",
      .idea = "all of these, tuned for the H100",
      .file = "kernels/stages/tuned.cuh",
      .knobs = {{Knob::BM, 64},
                {Knob::BN, 128},
                {Knob::BK, 16},
                {Knob::WM, 32},
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
      .enter = emulator::enterKernel<tuned>,
  };
}

}  // namespace tileloom::ladder
