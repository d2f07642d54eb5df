// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/padded.cuh"
}  // namespace

Stage describe_padded() {
  return {
      .id = "padded",
      .rung = 9,
      .title = "padded shared memory",
      .idea = "four spare words a row spread the stores",
      .file = "kernels/stages/padded.cuh",
      .knobs = {{Knob::BM, 128, 8, 256},
                {Knob::BN, 128, 8, 256},
                {Knob::BK, 16, 4, 64},
                {Knob::WM, 64, 4, 256},
                {Knob::WN, 64, 4, 256},
                {Knob::WNITER, 4, 1, 16},
                {Knob::TM, 8, 1, 32},
                {Knob::TN, 4, 4, 32},
                {Knob::PAD, 4, 0, 32}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<padded>,
  };
}

}  // namespace tileloom::ladder
