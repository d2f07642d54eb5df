// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/device/portable.cuh"
#include "kernels/tile/parameters.h"
#include "kernels/tile/stage.h"

namespace tileloom::ladder {
namespace {
#include "kernels/stages/fp32/shared.cuh"
}  // namespace

Stage describe_shared() {
  return {
      .id = "shared",
      .rung = 3,
      .literature = 3,
      .parent = "coalesced",
      .title = "shared memory",
      .idea = "tiles of A and B in shared memory",
      .file = "kernels/stages/fp32/shared.cuh",
      .parameters = {{Parameter::BLOCKSIZE, 32}},
      .kind = Simt{.fill = Simt::Fill::Element},
      .rowsAlongX = true,
      .enter = emulator::enterKernel<shared>,
  };
}

}  // namespace tileloom::ladder
