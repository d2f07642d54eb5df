// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fragments.cuh"
}  // namespace

Stage describe_fragments() {
  return {
      .id = "fragments",
      .rung = 10,
      .parent = "padded",
      .title = "fragment double buffering",
      .idea = "software pipeline of fragments",
      .file = "kernels/stages/fragments.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 128},
                {Knob::BK, 16},
                {Knob::WM, 32},
                {Knob::WN, 64},
                {Knob::WNITER, 2},
                {Knob::TM, 4},
                {Knob::TN, 4},
                {Knob::PAD, 4}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<fragments>,
  };
}

}  // namespace tileloom::ladder
