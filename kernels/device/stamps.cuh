// SPDX-License-Identifier: GPL-3.0-or-later
// The timestamps of the other headers' functions: in a timestamped build, this file is included after
// the last header of a stage, and TILELOOM_STAMPING is inserted after the brace that opens its
// kernel (kernels/gpu/compile/stamped_source.cpp). Each function below reads the SM's clock before and after
// itself, and one lane of each warp of one block records both. The stage's text has no other changes,
// and its line numbers are the same.
//
// A function is timestamped by one line here, and has one row in kernels/timeline/recorded/stamp_words.cpp,
// which says what a warp waits for in it and defines its number TILELOOM_WORD_…. A macro is not
// expanded within itself, so the name within its own macro is the original; a name that is already a
// macro, because it takes a constant, keeps its meaning in a function.
//
// With TILELOOM_SUMMING a function records nothing. It adds the cycles of a wait to a register of its warp, and each warp
// of each block writes its sums when it ends. A record takes longer than many waits and hides the rest of them, so
// shares of the time come from sums, and the order of events from records (docs/design/05-timeline.md).
//
// A timestamp is 16 instructions, and all timestamps together need two registers per thread, a cost for
// every block. So functions that would add little are left out: TMA loads, copies, wgmma and fences are
// issued between two timestamps that exist in any case.
#pragma once

struct tileloom_stamps_at {
  uint4* records;  // TILELOOM_STAMPS for each warp of the block; or two for each warp of each block: its sums
  uint block;      // the timestamped one, counted along x first
};
__constant__ tileloom_stamps_at tileloom_stamps;

// The compiler keeps the order of volatile statements.
__device__ __forceinline__ uint tileloom_now() {
  uint now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
  return now;
}

#if defined(TILELOOM_SUMMING)

// Cycles that a warp has waited, by TILELOOM_ON_… of a function: its place in kSummed of
// kernels/timeline/recorded/stamp_words.h.
struct tileloom_sums {
  uint begin = tileloom_now();
  uint on[5] = {};
  __device__ __forceinline__ ~tileloom_sums() {
    if (threadIdx.x % 32 != 0) return;
    const uint block = blockIdx.y * gridDim.x + blockIdx.x;
    uint4* const at = tileloom_stamps.records + (block * (blockDim.x / 32) + threadIdx.x / 32) * 2;
    at[0] = make_uint4(tileloom_now() - begin, on[0], on[1], on[2]);
    at[1] = make_uint4(on[3], on[4], 0, 0);
  }
};

#define TILELOOM_STAMPING      \
  tileloom_sums tileloom_kept; \
  uint tileloom_at = 0, tileloom_k0 = ~0u
#define TILELOOM_STAMPED_COUNT(word, count, ...)                              \
  do {                                                                        \
    if constexpr (TILELOOM_ON_##word < 0) {                                   \
      __VA_ARGS__;                                                            \
    } else {                                                                  \
      const uint tileloom_begin = tileloom_now();                             \
      __VA_ARGS__;                                                            \
      tileloom_kept.on[TILELOOM_ON_##word] += tileloom_now() - tileloom_begin; \
    }                                                                         \
  } while (0)
// At a barrier, a warp continues to issue for some cycles before it stops. The next instruction of the branch unit stops
// it, so there is one: a barrier of its own lanes.
#define TILELOOM_STAMPED_LATE(word, ...)                                      \
  do {                                                                        \
    const uint tileloom_begin = tileloom_now();                               \
    __VA_ARGS__;                                                              \
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");                   \
    tileloom_kept.on[TILELOOM_ON_##word] += tileloom_now() - tileloom_begin;  \
  } while (0)

#else

__device__ __forceinline__ uint tileloom_first_stamp() {
  const uint block = blockIdx.y * gridDim.x + blockIdx.x;
  return block == tileloom_stamps.block && threadIdx.x % 32 == 0
             ? threadIdx.x / 32 * TILELOOM_STAMPS
             : ~0u;
}

// `k0` is the column of A at which the present K tile begins: ~0 before the first one, K or more
// after the last. Records that do not fit overwrite the warp's last record. Four stores and a test
// of the sign: one store of 16 bytes needs four consecutive registers, and the producer of rung T11
// does not have these left of its 24.
__device__ __forceinline__ void tileloom_stamp(uint& at, const uint what, const uint begin,
                                               const uint end, const uint k0) {
  if (static_cast<int>(at) >= 0) {
    uint* const record = reinterpret_cast<uint*>(tileloom_stamps.records + at);
    record[1] = begin;
    record[2] = end;
    record[3] = k0;
    record[0] = what;
    at = min(at + 1, at | (TILELOOM_STAMPS - 1));
  }
}

#define TILELOOM_STAMPING uint tileloom_at = tileloom_first_stamp(), tileloom_k0 = ~0u
// `count`, a constant, is the number of groups that a wait leaves in flight.
#define TILELOOM_STAMPED_COUNT(word, count, ...)                                       \
  do {                                                                                 \
    const uint tileloom_begin = tileloom_now();                                        \
    __VA_ARGS__;                                                                       \
    tileloom_stamp(tileloom_at, (count) << 24 | TILELOOM_WORD_##word << 16 | __LINE__, \
                   tileloom_begin, tileloom_now(), tileloom_k0);                       \
  } while (0)
// At a barrier, a warp continues to issue for some cycles before it stops: its clock is read after a branch, which it
// reaches when the others have arrived, and some 20 cycles too late.
#define TILELOOM_STAMPED_LATE(word, ...)                                                              \
  do {                                                                                                \
    const uint tileloom_begin = tileloom_now();                                                       \
    __VA_ARGS__;                                                                                      \
    if (static_cast<int>(tileloom_at) >= 0) {                                                         \
      const uint tileloom_end = tileloom_now();                                                       \
      tileloom_stamp(tileloom_at, TILELOOM_WORD_##word << 16 | __LINE__, tileloom_begin, tileloom_end, \
                     tileloom_k0);                                                                    \
    }                                                                                                 \
  } while (0)

#endif

#define TILELOOM_STAMPED(word, ...) TILELOOM_STAMPED_COUNT(word, 0, __VA_ARGS__)

#if defined(TILELOOM_STAMPED_BLOCKS)
#undef KERNEL
#undef KERNEL16
#undef TENSOR_KERNEL
#define KERNEL(name, threads) \
  extern "C" __global__ void __launch_bounds__(threads, TILELOOM_STAMPED_BLOCKS) name
#define KERNEL16 KERNEL
#define TENSOR_KERNEL KERNEL
#endif

#undef K_TILES
#define K_TILES(k0, step) for (uint k0 = 0; tileloom_k0 = k0, k0 < K; k0 += (step))
#undef PART_TILES
#define PART_TILES(k0, step, part) \
  for (uint k0 = 0; tileloom_k0 = (part).from + k0, k0 < (part).depth; k0 += (step))
#undef UNROLLED_K_TILES
#define UNROLLED_K_TILES(k0, step) \
  _Pragma("unroll 4") for (int k0 = 0; tileloom_k0 = k0, k0 < K; k0 += (step))

#define __syncthreads() TILELOOM_STAMPED_LATE(__syncthreads, __syncthreads())

#if defined(wait_copies)  // pipeline.cuh
template <uint n>
__device__ __forceinline__ void tileloom_wait_copies() {
  wait_copies(n);
}
#undef wait_copies
#define wait_copies(n) TILELOOM_STAMPED_COUNT(wait_copies, n, tileloom_wait_copies<(n)>())
#define commit_copies() TILELOOM_STAMPED(commit_copies, commit_copies())
#endif

#if defined(wait_products)  // hopper.cuh
template <uint n>
__device__ __forceinline__ void tileloom_wait_products() {
  wait_products(n);
}
#undef wait_products
#define wait_products(n) TILELOOM_STAMPED_COUNT(wait_products, n, tileloom_wait_products<(n)>())
#define commit_products() TILELOOM_STAMPED(commit_products, commit_products())
#define expect(...) TILELOOM_STAMPED(expect, expect(__VA_ARGS__))
#define wait(...) TILELOOM_STAMPED(wait, wait(__VA_ARGS__))
#endif

#if defined(meet)  // roles.cuh, and cluster.cuh, whose names are functions
template <uint number, uint threads>
__device__ __forceinline__ void tileloom_meet() {
  meet(number, threads);
}
template <uint n>
__device__ __forceinline__ void tileloom_take_registers() {
  take_registers(n);
}
#undef meet
#undef take_registers
#define meet(number, threads) TILELOOM_STAMPED_LATE(meet, tileloom_meet<(number), (threads)>())
#define take_registers(n) TILELOOM_STAMPED(take_registers, tileloom_take_registers<(n)>())
#define arrive(...) TILELOOM_STAMPED(arrive, arrive(__VA_ARGS__))
#define arrive_at(...) TILELOOM_STAMPED(arrive_at, arrive_at(__VA_ARGS__))
#define meet_cluster() TILELOOM_STAMPED_LATE(meet_cluster, meet_cluster())
#endif

#if defined(wait_boxes)  // stored.cuh
template <uint n>
__device__ __forceinline__ void tileloom_wait_boxes() {
  wait_boxes(n);
}
#undef wait_boxes
#define wait_boxes(n) TILELOOM_STAMPED(wait_boxes, tileloom_wait_boxes<(n)>())
#define meet_group() TILELOOM_STAMPED_LATE(meet_group, meet_group())
#endif

// The producer of rung T13 has no register left, so it records nothing after it has returned its registers.
#if defined(ROUND_TILES)  // split.cuh
#undef ROUND_TILES
#define TILELOOM_ROUND_TILES(slot, k0, round)                                        \
  for (uint slot = 0, k0 = (round) * (STAGES * BK); tileloom_k0 = k0, slot < STAGES; \
       ++slot, k0 += BK)
#define ROUND_TILES(slot, k0, round) _Pragma("unroll") TILELOOM_ROUND_TILES(slot, k0, round)
template <uint n>
__device__ __forceinline__ void tileloom_keep_registers() {
  keep_registers(n);
}
#undef keep_registers
#define keep_registers(n) tileloom_keep_registers<(n)>(), tileloom_at = ~0u
#define await(...) TILELOOM_STAMPED(await, await(__VA_ARGS__))
#endif
