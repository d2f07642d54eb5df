// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/padded.cuh"
}  // namespace

Stage describe_padded() {
  return {
      .id = "padded",
      .rung = 9,
      .parent = "warptiled",
      .title = "padded shared memory",
      .idea = "padded rows, fewer bank conflicts",
      .file = "kernels/stages/padded.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 128},
                {Knob::BK, 16, 4, 64},
                {Knob::WM, 64},
                {Knob::WN, 64},
                {Knob::WNITER, 4},
                {Knob::TM, 8},
                {Knob::TN, 4},
                {Knob::PAD, 4}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<padded>,
  };
}

}  // namespace tileloom::ladder
