// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/mmaring.cuh"
}  // namespace

Stage describe_mmaring() {
  return {
      .id = "mmaring",
      .ladder = Ladder::Tensor,
      .rung = 3,
      .parent = "swizzled",
      .title = "multistage pipeline",
      .idea = "multistage cp.async, Ampere's best",
      .file = "kernels/stages/mmaring.cuh",
      .knobs = {{Knob::BM, 128, 16, 256},
                {Knob::BN, 128, 16, 256},
                {Knob::BK, 64, 32, 128},
                {Knob::WM, 64, 16, 256},
                {Knob::WN, 64, 16, 256},
                {Knob::SWIZZLE, 128, 32, 128},
                {Knob::STAGES, 3},
                {Knob::GROUP, 8}},
      .traits = Trait::TensorCore | Trait::SharedTiles | Trait::PaddedProblem | Trait::Panels |
                Trait::PanelRing | Trait::FragmentsAhead | Trait::Rasterised,
      .arithmetics = {Arithmetic::Bf16, Arithmetic::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterTensorKernel<mmaring>,
  };
}

}  // namespace tileloom::ladder
