// SPDX-License-Identifier: GPL-3.0-or-later
// roles.cuh on the host: the block's agents have the names of the roles, the pool of registers and
// the named barriers.
#pragma once

#include "kernels/device/hopper_on_host.h"

namespace tileloom::emulator {

class RolesThread : public HopperThread {
 public:
  using HopperThread::HopperThread;

 protected:
  bool role(const char* name, bool condition) const {
    if (condition) agents().role(name);
    return condition;
  }
  void arrive(const BarrierPointer& bar, int line = __builtin_LINE()) const {
    agents().arriveAt(bar.number(), line);
  }
  void meet(uint number, uint threads, int line = __builtin_LINE()) const {
    agents().meet(number, threads, line);
    goOn();
  }
  void meet_warp(int line = __builtin_LINE()) const {
    agents().meetWarp(line);
    goOn();
  }
  void keep_registers(uint perThread, int line = __builtin_LINE()) const {
    agents().keepRegisters(perThread, line);
  }
  void take_registers(uint perThread, int line = __builtin_LINE()) const {
    agents().takeRegisters(perThread, line);
    goOn();
  }
};

}  // namespace tileloom::emulator

#define ROLES_KERNEL(kernel_name, threads)                                          \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final \
      : ::tileloom::emulator::RolesThread {                                         \
    using RolesThread::RolesThread;                                                 \
    void operator()(uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C);   \
  };                                                                                \
  inline void kernel_name::operator()

#define SHARED_BOXES_AND(first, first_count, second, second_count, third, third_count) \
  SHARED16(first, first_count, second, second_count);                                  \
  const auto third = sharedElements(#third, (third_count))
#define BLOCK_TILES(tile, first, count, step) \
  for (uint tile = firstTile((first), (step)); hasTile(tile, (count)); tile += (step))
#define BARRIER_PAIRS(first, second, count)     \
  const auto first = barriers(#first, (count)); \
  const auto second = barriers(#second, (count))
#define ROLE(name, condition) if (role(#name, (condition)))
#define OTHERS(name) else if (role(#name, true))
