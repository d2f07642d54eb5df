// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/register_shares.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/tensor/consumers.cuh"
}  // namespace

// The kernel and the constraint table must agree on the registers of a block.
template <int Consumers>
constexpr bool kSharesAgree =
    producerRegisters(Consumers, false) == TILELOOM_PRODUCER_REGISTERS(Consumers) &&
    consumerRegisters(Consumers, false) == TILELOOM_CONSUMER_REGISTERS(Consumers) &&
    128 * (producerRegisters(Consumers, false) + Consumers * consumerRegisters(Consumers, false)) <=
        65536;
static_assert(kSharesAgree<2> && kSharesAgree<3>);

Stage describe_consumers() {
  return {
      .id = "consumers",
      .ladder = Ladder::Tensor,
      .rung = 9,
      .parent = "specialised",
      .title = "register reallocation",
      .idea = "consumers share B, setmaxnreg",
      .file = "kernels/stages/tensor/consumers.cuh",
      .parameters = {{Parameter::BM, 128, 128, 256},
                     {Parameter::BN, 256, 64, 256},
                     {Parameter::BK, 64, 16, 128},
                     {Parameter::CONSUMERS, 2, 2, 3},
                     {Parameter::SWIZZLE, 128, 32, 128},
                     {Parameter::STAGES, 4},
                     {Parameter::GROUP, 8}},
      .kind = Warpgroup{.roles = true, .registerPool = true},
      .formats = {Format::Bf16, Format::Fp16},
      .rowsAlongX = false,
      .enter = emulator::enterHopperKernel<consumers>,
      .boxes = consumers_boxes,
  };
}

}  // namespace tileloom::ladder
