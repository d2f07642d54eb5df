// SPDX-License-Identifier: GPL-3.0-or-later
// More functions, for warp-specialised stages: producer warps load, consumer
// warps multiply. In addition to those of hopper.cuh:
//
//   in a stage                     on the GPU                          on the host (emulator)
//   -----------------------------  ----------------------------------  ---------------------------------
//   ROLES_KERNEL(id, threads)      an entry that takes tensor maps,    an emulated thread
//                                  one block per SM
//   BARRIER_PAIRS(full, empty, n)  n mbarriers for "the stage is       the same
//                                  full", and n for "it is empty"
//   ROLE(name, condition) {…}      if (condition)                      the same, and the warps have this name
//   OTHERS(name) {…}               else                                the same
//   BLOCK_TILES(tile, first,       for (tile = first; tile < count;    the same, from the tile on that is
//     count, step)                 tile += step)                       traced
//   SHARED_BOXES_AND(As, n, Bs, m, as SHARED_BOXES, and a third array  the same
//     Cs, k)                       after them, for C
//   arrive(bar)                    one arrival                         the same
//   meet(number, threads)          the named barrier 1 … 15 of the     the thread waits until they arrive
//                                  block, for this number of threads
//   meet_warp()                    a barrier for the lanes of a warp   the same
//   keep_registers(n)              setmaxnreg.dec: this warp keeps n   the block's pool has more
//                                  registers per thread
//   take_registers(n)              setmaxnreg.inc: it takes up to n,   the thread waits until the pool has
//                                  and waits until they are free       them
//   PRODUCER_REGISTERS,            the number of each role, by         the same
//   CONSUMER_REGISTERS             CONSUMERS: see register_pool.cuh
//
// `number`, `threads` and `n` are constants. All warps of a warpgroup keep or take registers together.
#pragma once

#include "kernels/device/register_pool.cuh"

#define PRODUCER_REGISTERS TILELOOM_PRODUCER_REGISTERS(CONSUMERS)
#define CONSUMER_REGISTERS TILELOOM_CONSUMER_REGISTERS(CONSUMERS)

#if defined(__CUDACC__)

// One block per SM makes the compiler plan with a fixed number of registers, without which it ignores setmaxnreg:
// warps that keep and take registers.
#define ROLES_KERNEL(name, threads) extern "C" __global__ void __launch_bounds__(threads, 1) name
#define BARRIER_PAIRS(first, second, count)                             \
  barrier* const first = reinterpret_cast<barrier*>(tileloom_boxes_end); \
  barrier* const second = first + (count)
#define SHARED_BOXES_AND(first, first_count, second, second_count, third, third_count) \
  extern __shared__ __align__(1024) element tileloom_boxes[];                         \
  element* const first = tileloom_boxes;                                              \
  element* const second = first + (first_count);                                      \
  element* const third = second + (second_count);                                     \
  element* const tileloom_boxes_end = third + (third_count)
#define BLOCK_TILES(tile, first, count, step) for (uint tile = (first); tile < (count); tile += (step))
#define ROLE(name, condition) if (condition)
#define OTHERS(name) else

__device__ __forceinline__ void arrive(barrier* bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}

__device__ __forceinline__ void meet_warp() { __syncwarp(); }
#define meet(number, threads) asm volatile("bar.sync %0, %1;" ::"n"(number), "n"(threads) : "memory")
#define keep_registers(n) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n))
#define take_registers(n) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n))

#else
#include "kernels/device/roles_on_host.h"
#endif
