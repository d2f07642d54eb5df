// SPDX-License-Identifier: GPL-3.0-or-later
// How many registers per thread each role of a block ends up with, by the number of warpgroups that
// multiply, two or three. The kernels have the same numbers from device/register_pool.cuh, which
// stages/consumers.cpp compares with these when it is compiled.
#pragma once

namespace tileloom {

constexpr int producerRegisters(int consumers) {
  return consumers == 2 ? 24 : 32;
}
constexpr int consumerRegisters(int consumers) {
  return consumers == 2 ? 240 : 160;
}

}  // namespace tileloom
