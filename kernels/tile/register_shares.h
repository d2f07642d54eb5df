// SPDX-License-Identifier: GPL-3.0-or-later
// How many registers per thread each role of a block ends up with, by the number of warpgroups that
// multiply, two or three. The kernels have the same numbers from device/register_pool.cuh, or from
// device/split.cuh where the producer also finds out which piece of a tile comes next (`plans`);
// stages/consumers.cpp and stages/hopper.cpp compare them with these when they are compiled.
#pragma once

namespace tileloom {

constexpr int producerRegisters(int consumers, bool plans) {
  return consumers == 2 && !plans ? 24 : 32;
}
constexpr int consumerRegisters(int consumers, bool plans) {
  return consumers != 2 ? 160 : plans ? 232 : 240;
}

}  // namespace tileloom
