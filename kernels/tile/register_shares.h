// SPDX-License-Identifier: GPL-3.0-or-later
// Registers per thread of each warp role after register reallocation, by the number of consumer
// warpgroups, two or three. The kernels have the same numbers from device/register_pool.cuh, or
// from device/split.cuh where the producer also finds the next piece of a tile (`plans`);
// stages/consumers.cpp and stages/hopper.cpp compare both at compile time.
#pragma once

namespace tileloom {

constexpr int producerRegisters(int consumers, bool plans) {
  return consumers == 2 && !plans ? 24 : 32;
}
constexpr int consumerRegisters(int consumers, bool plans) {
  return consumers != 2 ? 160 : plans ? 232 : 240;
}

}  // namespace tileloom
