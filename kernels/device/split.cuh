// SPDX-License-Identifier: GPL-3.0-or-later
// More functions, for stages that split tiles along K, and whose pipeline stage is a constant. In addition to those
// of stored.cuh:
//
//   in a stage                      on the GPU                         on the host (emulator)
//   ------------------------------  ---------------------------------  ---------------------------------
//   SPLIT_KERNEL(id, threads)       an entry as STORED_KERNEL, with    an emulated thread
//                                   a place for sums that others add
//   first_piece(all),               the pieces of tiles that this      the same; for a traced cluster, its
//   next_piece(all, at)             cluster computes (pieces.cuh)      tile as a whole
//   ROUNDS(round, at)               for (round = at.first; round <     the same
//                                   at.end; ++round)
//   ROUND_TILES(slot, k0, round)    for each of its STAGES K tiles,    the same, noting the K tile
//                                   unrolled; K is rounded up, with
//                                   zeros beyond it
//   ROLLED_ROUND_TILES              the same, not unrolled             the same
//   backwards(at)                   whether this piece goes from the   the same; a traced one does not
//                                   end of K to its beginning
//   further(operand, n)             an operand that begins n elements  the same
//                                   further on, a multiple of 8
//   uniform(x)                      x, equal in all lanes of the       the same
//                                   warp, in a uniform register
//   multiply_group(acc, n, a, b,    as multiply_add_group; without     the same
//     keep)                         `keep` the sums start from zero
//   leave_sums(p, acc, n)           n sums of this thread go to p, a   kept for the cluster that adds them
//                                   place in global memory
//   add_sums(acc, p, n)             acc += the sums at p               the same
//   tell(flag), await(flag)         sets the flag of stored sums;      the same; it is a fault if no block
//                                   waits until it is set              has set it
//
// All threads of a warpgroup leave and add sums together, and one of them sets or awaits the flag.
#pragma once

#include "kernels/device/pieces.cuh"

// Registers per thread of each role, instead of those of register_pool.cuh: the
// producer needs a few more to find its next piece.
#define TILELOOM_SPLIT_PRODUCER_REGISTERS(consumers) 32
#define TILELOOM_SPLIT_CONSUMER_REGISTERS(consumers) ((consumers) == 2 ? 232 : 160)
#undef PRODUCER_REGISTERS
#undef CONSUMER_REGISTERS
#define PRODUCER_REGISTERS TILELOOM_SPLIT_PRODUCER_REGISTERS(CONSUMERS)
#define CONSUMER_REGISTERS TILELOOM_SPLIT_CONSUMER_REGISTERS(CONSUMERS)

#if defined(__CUDACC__)

#define SPLIT_KERNEL(name, threads) CLUSTER_KERNEL(name, threads)
#define ROUNDS(round, at) for (uint round = (at).first; round < (at).end; ++round)
#define ROUND_TILES(slot, k0, round) \
  _Pragma("unroll") for (uint slot = 0, k0 = (round) * (STAGES * BK); slot < STAGES; ++slot, k0 += BK)
#define ROLLED_ROUND_TILES(slot, k0, round) \
  _Pragma("unroll 1") for (uint slot = 0, k0 = (round) * (STAGES * BK); slot < STAGES; ++slot, k0 += BK)

__device__ __forceinline__ piece first_piece(const pieces& all) { return all.at(0); }
__device__ __forceinline__ piece next_piece(const pieces& all, const piece& at) { return all.at(at.number + 1); }
__device__ __forceinline__ bool backwards(const piece& at) { return at.number % 2 != 0; }

// The address is in the lower half, in units of 16 bytes: one addition; a new operand takes several instructions.
__device__ __forceinline__ unsigned long long further(const unsigned long long operand, const uint elements) {
  return (operand & 0xFFFFFFFF00000000ull) | (static_cast<uint>(operand) + elements / 8);
}

__device__ __forceinline__ uint uniform(const uint x) { return __reduce_or_sync(~0u, x); }

#define TILELOOM_WGMMA_KEEP(ptx, n, registers, sums, ia, ib, ik)                                                  \
  if (columns == n) {                                                                                             \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.u32 keep, %" #ik ", 0;\nwgmma.mma_async.sync.aligned.m64n" #n      \
                 "k16.f32." ptx "." ptx " {" registers "}, %" #ia ", %" #ib ", keep, 1, 1, 0, 1;\n}"              \
                 : sums                                                                                           \
                 : "l"(a), "l"(b), "r"(keep));                                                                    \
  }
#define TILELOOM_WGMMA_KEEP_FORMAT(format, ptx)                                                                   \
  __device__ __forceinline__ void multiply_group(format, float* acc, const uint columns,                          \
                                                 const unsigned long long a, const unsigned long long b,          \
                                                 const uint keep) {                                               \
    TILELOOM_WGMMA_KEEP(ptx, 64, TILELOOM_TENS3 "%30, %31", TILELOOM_SUMS32, 32, 33, 34)                          \
    TILELOOM_WGMMA_KEEP(ptx, 96, TILELOOM_TENS4 "%40, %41, %42, %43, %44, %45, %46, %47", TILELOOM_SUMS48, 48,    \
                        49, 50)                                                                                   \
    TILELOOM_WGMMA_KEEP(ptx, 128, TILELOOM_TENS6 "%60, %61, %62, %63", TILELOOM_SUMS64, 64, 65, 66)               \
    TILELOOM_WGMMA_KEEP(ptx, 160, TILELOOM_TENS7 TILELOOM_TEN(7), TILELOOM_SUMS80, 80, 81, 82)                    \
    TILELOOM_WGMMA_KEEP(ptx, 192, TILELOOM_TENS9 "%90, %91, %92, %93, %94, %95", TILELOOM_SUMS96, 96, 97, 98)     \
    TILELOOM_WGMMA_KEEP(ptx, 224, TILELOOM_TENS11 "%110, %111", TILELOOM_SUMS112, 112, 113, 114)                  \
    TILELOOM_WGMMA_KEEP(ptx, 256, TILELOOM_TENS12 "%120, %121, %122, %123, %124, %125, %126, %127",               \
                        TILELOOM_SUMS128, 128, 129, 130)                                                          \
  }
TILELOOM_WGMMA_KEEP_FORMAT(bf16, "bf16")
TILELOOM_WGMMA_KEEP_FORMAT(fp16, "f16")

__device__ __forceinline__ void multiply_group(float* acc, const uint columns, const unsigned long long a,
                                               const unsigned long long b, const bool keep) {
  multiply_group(element{}, acc, columns, a, b, keep);
}

// Past L1, at adjacent addresses, 16 bytes of each of 128 threads.
__device__ __forceinline__ void leave_sums(float* p, const float* acc, const uint count) {
  UNROLL for (uint i = 0; i < count; i += 4) {
    __stcg(reinterpret_cast<float4*>(p + i * 128), make_float4(acc[i], acc[i + 1], acc[i + 2], acc[i + 3]));
  }
  __threadfence();
}

__device__ __forceinline__ void add_sums(float* acc, const float* p, const uint count) {
  UNROLL for (uint i = 0; i < count; i += 4) {
    const float4 v = __ldcg(reinterpret_cast<const float4*>(p + i * 128));
    acc[i] += v.x, acc[i + 1] += v.y, acc[i + 2] += v.z, acc[i + 3] += v.w;
  }
}

__device__ __forceinline__ void tell(float* flag) {
  asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
}

// The flag is cleared at once, for the next launch.
__device__ __forceinline__ void await(float* flag) {
  uint up = 0;
  while (!up) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(up) : "l"(flag) : "memory");
  asm volatile("st.relaxed.gpu.global.u32 [%0], 0;" ::"l"(flag) : "memory");
}

#else
#include "kernels/device/split_on_host.h"
#endif
