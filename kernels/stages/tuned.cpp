// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tuned.cuh"
}  // namespace

Stage describe_tuned() {
  return {
      .id = "tuned",
      .rung = 14,
      .title = "tuned for the chip",
      .idea = "everything at once, where it costs least",
      .file = "kernels/stages/tuned.cuh",
      .knobs = {{Knob::BM, 64, 8, 256},
                {Knob::BN, 128, 8, 256},
                {Knob::BK, 16, 4, 32},
                {Knob::WM, 32, 4, 256},
                {Knob::WN, 64, 4, 256},
                {Knob::WNITER, 2, 1, 16},
                {Knob::TM, 4, 1, 32},
                {Knob::TN, 4, 4, 32},
                {Knob::PAD, 4, 0, 32},
                {Knob::GROUP, 8, 1, 32}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::TwoBuffers | Trait::StagedA |
                Trait::Rasterised,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<tuned>,
  };
}

}  // namespace tileloom::ladder
