// SPDX-License-Identifier: GPL-3.0-or-later
// More words, for stages of which a block may compute a part of a tile: some of its K. Beside those of pipeline.cuh:
//
//   in a stage                  on the GPU                        on the host (emulator)
//   --------------------------  --------------------------------  -----------------------------------
//   PART_KERNEL(id, threads)    an entry as KERNEL, with memory   an emulated thread
//                               `left` for what blocks leave
//   part_of(left, number, K)    the part that block `number`      the same; of one that is traced, its
//                               computes: a tile, and where its   tile as a whole
//                               K begins and how far it goes;
//                               all of it where SPLIT is 1
//   PART_TILES(k0, BK, part)    for (k0 = 0; k0 < its depth;      the loop, noting the K tile
//                               k0 += BK)
//   HAS_PART(k0, part)          k0 < its depth                    the same, or up to where a trace ends
//   sums_of(left, number)       where this block's sums go, and   the same
//                               how many parts its tile has
//   leave_sums(p, acc, n, by)   n sums of this thread go to p, a  kept for the block that adds them
//                               place in global memory: four,
//                               then `by` floats further four
//   last_to_leave(flag, parts,  whether all parts' sums are       the same: a barrier, a store of one
//     word)                     there now, the same for all       thread to shared memory, another
//                               threads: true in one block        barrier, and a load of all
//   add_sums(acc, p, n, by,     acc = the sums of all parts,      the same
//     parts, size)              which are `size` floats apart
//
// No block waits for another one. The block that leaves its sums last adds those
// of all parts in the order of K. So the result does not depend on which block is
// last, and blocks may start in any order. The table of parts stands at the
// beginning of `left` (partTable() in kernels/tile/last_wave.h).
#pragma once

#if defined(__CUDACC__)

#define PART_KERNEL(name, threads) KERNEL(name, threads)

struct part {
  uint tile;
  uint from, depth;  // along K, in elements
};

struct part_sums {
  uint flag, sums;    // words of `left` before them: how many have left their sums, and those of the first part
  uint which, count;  // of the tile's parts this one, from 0, and how many there are; 1: the tile is whole
};

__device__ __forceinline__ part part_of(const float* left, const uint number, const uint K) {
  if (SPLIT < 2) return {number, 0, K};
  const uint4 its = __ldcg(reinterpret_cast<const uint4*>(left) + 2 * number);
  return {its.x, its.y, its.z};
}

// Read where it is needed, so that it takes no registers in the main loop.
__device__ __forceinline__ part_sums sums_of(const float* left, const uint number) {
  part_sums its;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(its.flag), "=r"(its.sums), "=r"(its.which), "=r"(its.count)
               : "l"(reinterpret_cast<const uint4*>(left) + (2 * number + 1)));
  return its;
}

#define PART_TILES(k0, step, part) for (uint k0 = 0; k0 < (part).depth; k0 += (step))
#define HAS_PART(k, part) ((k) < (part).depth)

// Past L1, 16 bytes of each of the block's threads side by side.
__device__ __forceinline__ void leave_sums(float* p, const float* acc, const uint count, const uint by) {
  UNROLL for (uint i = 0; i < count; i += 4) {
    __stcg(reinterpret_cast<float4*>(p + i / 4 * by), make_float4(acc[i], acc[i + 1], acc[i + 2], acc[i + 3]));
  }
  __threadfence();
}

// Few at a time: the loop keeps the assembler from asking for all of them at once, for which there are no registers.
__device__ __forceinline__ void add_sums(float* acc, const float* p, const uint count, const uint by,
                                         const uint parts, const uint size) {
  constexpr uint AT_ONCE = 32;
  UNROLL for (uint first = 0; first < count; first += AT_ONCE) {
    UNROLL for (uint i = first; i < first + AT_ONCE && i < count; ++i) acc[i] = 0;
    _Pragma("unroll 1") for (uint which = 0; which < parts; ++which) {
      UNROLL for (uint i = first; i < first + AT_ONCE && i < count; i += 4) {
        const float4 v = __ldcg(reinterpret_cast<const float4*>(p + which * size + i / 4 * by));
        acc[i] += v.x, acc[i + 1] += v.y, acc[i + 2] += v.z, acc[i + 3] += v.w;
      }
    }
  }
}

// The flag is taken down by the last one, for the next launch. The word is in shared memory, by which one thread tells
// the others; nothing else is in use there any more.
__device__ __forceinline__ bool last_to_leave(float* flag, const uint parts, float* word) {
  __syncthreads();
  if (threadIdx.x == 0) {
    uint before;
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(flag) : "memory");
    if (before + 1 == parts) asm volatile("st.relaxed.gpu.global.u32 [%0], 0;" ::"l"(flag) : "memory");
    *reinterpret_cast<uint*>(word) = before;
  }
  __syncthreads();
  return *reinterpret_cast<const uint*>(word) + 1 == parts;
}

#else
#include "kernels/device/parts_on_host.h"
#endif
