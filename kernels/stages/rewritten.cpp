// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"

#include "kernels/device/parts.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/rewritten.cuh"
}  // namespace

Stage describe_rewritten() {
  return {
      .id = "rewritten",
      .rung = 16,
      .parent = "scheduled",
      .title = "main loop rewritten",
      .idea = "rewritten SASS, split-K last wave",
      .file = "kernels/stages/rewritten.cuh",
      .knobs = {{Knob::BM, 128},
                {Knob::BN, 256},
                {Knob::BK, 8},
                {Knob::WM, 64},
                {Knob::WN, 64},
                {Knob::WNITER, 2},
                {Knob::TM, 4},
                {Knob::TN, 4},
                {Knob::PAD, 4},
                {Knob::GROUP, 8},
                {Knob::SPLIT, 4}},
      .traits = Trait::WarpTile | Trait::WideFill | Trait::SharedTiles | Trait::PaddedProblem |
                Trait::RunFill | Trait::FragmentsAhead | Trait::TwoBuffers | Trait::StagedA |
                Trait::Rasterised | Trait::Parts,
      .rowsAlongX = false,
      .rewriter = 3,
      .enter = emulator::enterPartKernel<rewritten>,
  };
}

}  // namespace tileloom::ladder
