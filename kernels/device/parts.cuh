// SPDX-License-Identifier: GPL-3.0-or-later
// More functions, for stages whose blocks may compute a part of a tile's K. In addition to those of pipeline.cuh:
//
//   in a stage                  on the GPU                        on the host (emulator)
//   --------------------------  --------------------------------  -----------------------------------
//   PART_KERNEL(id, threads)    an entry as KERNEL, with memory   an emulated thread
//                               `left` for partial sums
//   part_of(left, number, K)    the part that block `number`      the same; for a traced block, its
//                               computes: a tile, and the         tile as a whole
//                               beginning and length of its K;
//                               all of it where SPLIT is 1
//   PART_TILES(k0, BK, part)    for (k0 = 0; k0 < its depth;      the loop, noting the K tile
//                               k0 += BK)
//   HAS_PART(k0, part)          k0 < its depth                    the same, or up to where a trace ends
//   sums_of(left, number)       the place of this block's sums,   the same
//                               and the parts of its tile
//   leave_sums(p, acc, n, by)   n sums of this thread go to p, a  kept for the block that adds them
//                               place in global memory: four,
//                               then four more `by` floats on
//   last_to_leave(flag, parts,  whether all parts' sums are       the same: a barrier, a store of one
//     word)                     stored, the same for all          thread to shared memory, another
//                               threads: true in one block        barrier, and a load of all
//   add_sums(acc, p, n, by,     acc = the sums of all parts,      the same
//     parts, size)              which are `size` floats apart
//
// No block waits for another one. The block that leaves its sums last adds those
// of all parts in the order of K. So the result does not depend on which block is
// last, and blocks may start in any order. The table of parts is at the
// beginning of `left` (partTable() in kernels/tile/last_wave.h).
#pragma once

#if defined(__CUDACC__)

#define PART_KERNEL(name, threads) KERNEL(name, threads)

struct part {
  uint tile;
  uint from, depth;  // along K, in elements
};

struct part_sums {
  uint flag, sums;    // words of `left` before them: the number of parts that have left sums, and the first part's sums
  uint which, count;  // this part, from 0, and the number of the tile's parts; 1: the tile is whole
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

// Past L1, at adjacent addresses, 16 bytes of each of the block's threads.
__device__ __forceinline__ void leave_sums(float* p, const float* acc, const uint count, const uint by) {
  UNROLL for (uint i = 0; i < count; i += 4) {
    __stcg(reinterpret_cast<float4*>(p + i / 4 * by), make_float4(acc[i], acc[i + 1], acc[i + 2], acc[i + 3]));
  }
  __threadfence();
}

// Few at a time: the loop keeps the assembler from loading all of them at once, for which there are no registers.
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

// The last part clears the flag, for the next launch. The word is in shared memory, through which one thread informs
// the others; nothing else there is still in use.
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
