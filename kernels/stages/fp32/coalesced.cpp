// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/coalesced.cuh"
}  // namespace

Stage describe_coalesced() {
  return {
      .id = "coalesced",
      .rung = 2,
      .literature = 2,
      .parent = "naive",
      .title = "coalesced",
      .idea = "lanes along N: coalesced accesses",
      .file = "kernels/stages/fp32/coalesced.cuh",
      .parameters = {{Parameter::BLOCKSIZE, 32}},
      .kind = Simt{},
      .rowsAlongX = true,
      .enter = emulator::enterKernel<coalesced>,
  };
}

}  // namespace tileloom::ladder
