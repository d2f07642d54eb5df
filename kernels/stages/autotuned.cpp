// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/autotuned.cuh"
}  // namespace

Stage describe_autotuned() {
  return {
      .id = "autotuned",
      .rung = 7,
      .literature = 9,
      .parent = "vectorized",
      .title = "autotuned",
      .idea = "tile parameters found by a search",
      .file = "kernels/stages/autotuned.cuh",
      .knobs = {{Knob::BM, 128, 4, 256},
                {Knob::BN, 128, 4, 256},
                {Knob::BK, 16, 4, 64},
                {Knob::TM, 8},
                {Knob::TN, 8}},
      .traits = Trait::ThreadTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<autotuned>,
  };
}

}  // namespace tileloom::ladder
