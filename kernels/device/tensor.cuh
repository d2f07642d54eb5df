// SPDX-License-Identifier: GPL-3.0-or-later
// Functions for stages that multiply on tensor cores (rungs T1 and up), in addition to portable.cuh.
// An `element` is a 16-bit number, bf16 or fp16 as -D ELEMENT=… says; a 32-bit register holds two.
//
//   in a stage                  on the GPU                        on the host (emulator)
//   --------------------------  --------------------------------  -----------------------------------
//   KERNEL16(id, threads)       an entry of element matrices,     the same as an emulated thread
//                               without alpha and beta
//   SHARED16(As, n, Bs, m)      two shared arrays of elements     two arrays of the emulated block
//   FRAGMENTS(a, n)             uint a[n]: n pairs of elements    pairs with provenance
//   load8(p), store8(p, v)      8 elements in one 128-bit access  one recorded 128-bit access
//   store2(p, v)                a pair in one 32-bit access       one recorded 32-bit access
//   copy_async8(p, q)           16 bytes from q to shared p,      a recorded copy that arrives when its
//                               past the registers: cp.async      group is waited for (pipeline.cuh)
//   pack(lo, hi)                two floats rounded to a pair      the same, to the nearest even
//   MMA_STEPS(k, BK)            for (k = 0; k < BK; k += 16),     the loop, noting k
//                               unrolled
//
// and three that all 32 lanes of a warp execute together:
//
//   load_matrices(r, p)         ldmatrix.x4: four 8 x 8 matrices  the warp meets, and each lane
//                               from shared memory into 4 pairs   receives its part
//   load_matrices_turned(r, p)  the same, each one transposed     the same
//   multiply_add(acc, a, b)     mma.m16n8k16: acc += a b          the warp meets and multiplies
//
// In load_matrices, lane l names by `p` row l % 8 (8 elements, 16 bytes) of matrix l / 8, and receives
// of matrix i, in pair r[i], columns 2 (l % 4) and + 1 of row l / 4; transposed: rows 2 (l % 4) and + 1
// of column l / 4. In multiply_add, lane l has with g = l / 4 and t = l % 4
//
//   a[0], a[1], a[2], a[3]  of A, 16 x 16: row g, g + 8, g, g + 8; columns 2t and + 1, from a[2] on + 8
//   b[0], b[1]              of B, 16 x 8:  rows 2t and + 1, in b[1] + 8; column g
//   acc[0] … acc[3]         of C, 16 x 8:  row g, from acc[2] on + 8; columns 2t, 2t + 1 of each
#pragma once

#if defined(__CUDACC__)

struct bf16 {
  unsigned short bits;
};
struct fp16 {
  unsigned short bits;
};
#if !defined(ELEMENT)
#define ELEMENT bf16
#endif
typedef ELEMENT element;

#define KERNEL16(name, threads) extern "C" __global__ void __launch_bounds__(threads) name

#if defined(DYNAMIC_SHARED)
#define SHARED16(first, first_count, second, second_count)          \
  extern __shared__ float4 tileloom_dynamic_shared[];               \
  element* const first = reinterpret_cast<element*>(tileloom_dynamic_shared); \
  element* const second = first + (first_count)
#else
#define SHARED16(first, first_count, second, second_count)  \
  __shared__ __align__(16) element first[first_count];      \
  __shared__ __align__(16) element second[second_count]
#endif

#define FRAGMENTS(name, count) uint name[count]
#define MMA_STEPS(k, count) _Pragma("unroll") for (uint k = 0; k < (count); k += 16)

__device__ __forceinline__ uint4 load8(const element* p) {
  return *reinterpret_cast<const uint4*>(p);
}

// By value: with a reference the compiler makes four stores of 4 bytes if the store is not to shared memory and the
// address is not known to be a multiple of 16. (The counters showed it: four times the sectors.)
__device__ __forceinline__ void store8(element* p, const uint4 v) {
  *reinterpret_cast<uint4*>(p) = v;
}

__device__ __forceinline__ void store2(element* p, const uint v) {
  *reinterpret_cast<uint*>(p) = v;
}

// Past L1: the copied data are read only from shared memory.
__device__ __forceinline__ void copy_async8(element* p, const element* q) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint>(__cvta_generic_to_shared(p))),
               "l"(q)
               : "memory");
}

__device__ __forceinline__ void load_matrices(uint* r, const element* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<uint>(__cvta_generic_to_shared(p)))
               : "memory");
}

__device__ __forceinline__ void load_matrices_turned(uint* r, const element* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<uint>(__cvta_generic_to_shared(p)))
               : "memory");
}

// The differences of the two formats, selected by the type of the first argument.
#define TILELOOM_TENSOR_FORMAT(format, ptx)                                                         \
  __device__ __forceinline__ void multiply_add(format, float* acc, const uint* a, const uint* b) {  \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." ptx "." ptx                               \
                 ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"             \
                 : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])                           \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));               \
  }                                                                                                 \
  __device__ __forceinline__ uint pack(format, const float lo, const float hi) {                    \
    uint pair; /* the instruction takes the upper half first */                                     \
    asm("cvt.rn." ptx "x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(hi), "f"(lo));                        \
    return pair;                                                                                    \
  }
TILELOOM_TENSOR_FORMAT(bf16, "bf16")
TILELOOM_TENSOR_FORMAT(fp16, "f16")

__device__ __forceinline__ void multiply_add(float* acc, const uint* a, const uint* b) {
  multiply_add(element{}, acc, a, b);
}

__device__ __forceinline__ uint pack(const float lo, const float hi) {
  return pack(element{}, lo, hi);
}

#else
#include "kernels/device/tensor_on_host.h"
#endif
