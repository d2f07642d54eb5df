// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/hopper.cuh"

#include "kernels/device/cluster.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/split.cuh"
#include "kernels/device/stored.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/knobs.h"
#include "kernels/tile/register_shares.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/hopper.cuh"
}  // namespace

// One block's pool, in the kernel and in the constraint table.
template <int Consumers>
constexpr bool kSharesAgree =
    producerRegisters(Consumers, true) == TILELOOM_SPLIT_PRODUCER_REGISTERS(Consumers) &&
    consumerRegisters(Consumers, true) == TILELOOM_SPLIT_CONSUMER_REGISTERS(Consumers) &&
    128 * (producerRegisters(Consumers, true) + Consumers * consumerRegisters(Consumers, true)) <=
        65536;
static_assert(kSharesAgree<2> && kSharesAgree<3>);

Stage describe_hopper() {
  return {
      .id = "hopper",
      .ladder = Ladder::Tensor,
      .rung = 13,
      .parent = "stored",
      .title = "all of Hopper",
      .idea = "all of these, and stream-K",
      .file = "kernels/stages/hopper.cuh",
      .knobs = {{Knob::BM, 128, 128, 256},
                {Knob::BN, 256, 64, 256},
                {Knob::BK, 64, 32, 128},
                {Knob::CONSUMERS, 2, 2, 3},
                {Knob::SWIZZLE, 128, 64, 128},
                {Knob::STAGES, 4, 2, 6},
                {Knob::GROUP, 8},
                {Knob::CLUSTER, 2},
                {Knob::SPLIT, 2}},
      .traits = Trait::Warpgroups | Trait::SharedTiles | Trait::Panels | Trait::CopyEngine |
                Trait::BoxRing | Trait::Rasterised | Trait::Roles | Trait::RegisterPool |
                Trait::Persistent | Trait::Clusters | Trait::StoredBoxes | Trait::Split,
      .arithmetics = {Arithmetic::Bf16, Arithmetic::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterSplitKernel<hopper>,
      .boxes = hopper_boxes,
  };
}

}  // namespace tileloom::ladder
