// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/async.cuh"
}  // namespace

Stage describe_async() {
  return {
      .id = "async",
      .rung = 12,
      .parent = "doublebuffered",
      .title = "asynchronous copies",
      .idea = "multistage cp.async pipeline",
      .file = "kernels/stages/async.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 128},
                {Knob::BK, 8},
                {Knob::WM, 64},
                {Knob::WN, 64},
                {Knob::WNITER, 4},
                {Knob::TM, 8},
                {Knob::TN, 4},
                {Knob::PAD, 4},
                {Knob::STAGES, 3}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::AsyncFill,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<async>,
  };
}

}  // namespace tileloom::ladder
