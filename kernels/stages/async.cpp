// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/async.cuh"
}  // namespace

Stage describe_async() {
  return {
      .id = "async",
      .rung = 12,
      .title = "asynchronous copies",
      .idea = "several K tiles ahead, past the registers",
      .file = "kernels/stages/async.cuh",
      .knobs = {{Knob::BM, 128, 8, 256},
                {Knob::BN, 128, 8, 256},
                {Knob::BK, 8, 4, 32},
                {Knob::WM, 64, 4, 256},
                {Knob::WN, 64, 4, 256},
                {Knob::WNITER, 4, 1, 16},
                {Knob::TM, 8, 1, 32},
                {Knob::TN, 4, 4, 32},
                {Knob::PAD, 4, 0, 32},
                {Knob::STAGES, 3, 2, 8}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::AsyncFill,
      .rowsAlongX = false,
      .enter = emulator::enterKernel<async>,
  };
}

}  // namespace tileloom::ladder
