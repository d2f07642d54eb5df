// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/hopper.cuh"

#include "kernels/device/cluster.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/split.cuh"
#include "kernels/device/stored.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/register_shares.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/hopper.cuh"
}  // namespace

// The kernel and the constraint table must agree on the registers of a block.
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
      .idea = "all of these, split-K last wave",
      .file = "kernels/stages/tensor/hopper.cuh",
      .parameters = {{Parameter::BM, 128, 128, 256},
                     {Parameter::BN, 256, 64, 256},
                     {Parameter::BK, 64, 32, 128},
                     {Parameter::CONSUMERS, 2, 2, 3},
                     {Parameter::SWIZZLE, 128, 64, 128},
                     {Parameter::STAGES, 4, 2, 6},
                     {Parameter::GROUP, 8},
                     {Parameter::CLUSTER, 2},
                     {Parameter::SPLIT, 2}},
      .kind = Warpgroup{.roles = true, .registerPool = true, .persistent = true, .tmaStores = true},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterSplitKernel<hopper>,
      .boxes = hopper_boxes,
  };
}

}  // namespace tileloom::ladder
