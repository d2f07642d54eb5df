// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/vectorized.cuh"
}  // namespace

Stage describe_vectorized() {
  return {
      .id = "vectorized",
      .rung = 6,
      .literature = 6,
      .parent = "blocktile2d",
      .title = "vectorised",
      .idea = "128-bit accesses, A transposed",
      .file = "kernels/stages/vectorized.cuh",
      .knobs = {{Knob::BM, 128, 4, 256},
                {Knob::BN, 128, 4, 256},
                {Knob::BK, 8, 4, 64},
                {Knob::TM, 8},
                {Knob::TN, 8}},
      .traits = Trait::ThreadTile | Trait::WideFill | Trait::OneWideLoad | Trait::SharedTiles |
                Trait::PaddedProblem,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<vectorized>,
  };
}

}  // namespace tileloom::ladder
