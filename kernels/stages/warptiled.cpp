// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/warptiled.cuh"
}  // namespace

Stage describe_warptiled() {
  return {
      .id = "warptiled",
      .rung = 8,
      .literature = 10,
      .parent = "autotuned",
      .title = "warp tiling",
      .idea = "each warp computes its own tile of C",
      .file = "kernels/stages/warptiled.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 128},
                {Knob::BK, 16, 4, 64},
                {Knob::WM, 64},
                {Knob::WN, 64},
                {Knob::WNITER, 4},
                {Knob::TM, 8},
                {Knob::TN, 4}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<warptiled>,
  };
}

}  // namespace tileloom::ladder
