// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fragments.cuh"
}  // namespace

Stage describe_fragments() {
  return {
      .id = "fragments",
      .rung = 10,
      .title = "fragment double buffering",
      .idea = "the next fragments are on their way",
      .file = "kernels/stages/fragments.cuh",
      .knobs = {{Knob::BM, 128, 8, 256},
                {Knob::BN, 128, 8, 256},
                {Knob::BK, 16, 4, 32},
                {Knob::WM, 32, 4, 256},
                {Knob::WN, 64, 4, 256},
                {Knob::WNITER, 2, 1, 16},
                {Knob::TM, 4, 1, 32},
                {Knob::TN, 4, 4, 32},
                {Knob::PAD, 4, 0, 32}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<fragments>,
  };
}

}  // namespace tileloom::ladder
