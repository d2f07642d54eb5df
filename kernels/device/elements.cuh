// SPDX-License-Identifier: GPL-3.0-or-later
// Functions for kernels that multiply elements of 8 or 32 bits on tensor cores, in addition to portable.cuh: tf32,
// e4m3 or e5m2, as -D ELEMENT=… says. tensor.cuh has the same for 16 bits. A 32-bit register holds PARTS elements.
//
//   in a stage                   on the GPU                        on the host (emulator)
//   ---------------------------  --------------------------------  ----------------------------------
//   ELEMENT_KERNEL(id, threads)  an entry of element matrices,     the same as an emulated thread
//                                without alpha and beta
//   ELEMENT_TILES(As, n, Bs, m)  two shared arrays of elements     two arrays of the emulated block
//   FRAGMENTS(a, n)              uint a[n]: n registers            registers with provenance
//   PARTS, CHUNK                 elements in 4 bytes, in 16        the same
//   DEPTH                        elements of K of a multiply_add   the same
//   load_chunk, store_chunk      one 128-bit access                one recorded 128-bit access
//   load_parts(r, p)             one 32-bit load                   one recorded 32-bit load
//   gather(r, rows, i)           element i of each of PARTS        the same
//                                registers, in one register
//   store_four(p, w, x, y, z)    four floats, rounded, in one      one recorded access
//                                access
//   DEPTH_STEPS(k, BK)           for (k = 0; k < BK; k += DEPTH),  the loop, noting k
//                                unrolled
//
// and two that all 32 lanes of a warp execute together:
//
//   load_matrices(r, p)          ldmatrix.x4: lane l names by p row l % 8, 16 bytes, of matrix l / 8, and receives
//                                of matrix i, in r[i], 4 bytes: number l % 4 of row l / 4
//   multiply_add(acc, a, b)      mma.m16n8k8 of tf32, mma.m16n8k32 of 8-bit elements: acc += a b
//
// In multiply_add, lane l has with g = l / 4 and t = l % 4
//
//   a[0], a[1], a[2], a[3]  of A, 16 x DEPTH: row g, g + 8, g, g + 8; PARTS columns from PARTS t, from a[2] on 4 PARTS
//                           more
//   b[0], b[1]              of B, DEPTH x 8:  PARTS rows from PARTS t, in b[1] 4 PARTS more; column g
//   acc[0] … acc[3]         of C, 16 x 8:     row g, from acc[2] on + 8; columns 2t, 2t + 1 of each
#pragma once

#if defined(__CUDACC__)

struct tf32 {
  uint bits;
};
struct e4m3 {
  unsigned char bits;
};
struct e5m2 {
  unsigned char bits;
};
#if !defined(ELEMENT)
#define ELEMENT tf32
#endif
typedef ELEMENT element;

#define PARTS (4 / static_cast<uint>(sizeof(element)))
#define CHUNK (4 * PARTS)
#define DEPTH (8 * PARTS)

#define ELEMENT_KERNEL(name, threads) extern "C" __global__ void __launch_bounds__(threads) name

#if defined(DYNAMIC_SHARED)
#define ELEMENT_TILES(first, first_count, second, second_count)               \
  extern __shared__ float4 tileloom_dynamic_shared[];                         \
  element* const first = reinterpret_cast<element*>(tileloom_dynamic_shared); \
  element* const second = first + (first_count)
#else
#define ELEMENT_TILES(first, first_count, second, second_count) \
  __shared__ __align__(16) element first[first_count];          \
  __shared__ __align__(16) element second[second_count]
#endif

#define FRAGMENTS(name, count) uint name[count]
#define DEPTH_STEPS(k, count) _Pragma("unroll") for (uint k = 0; k < (count); k += DEPTH)

__device__ __forceinline__ uint4 load_chunk(const element* p) {
  return *reinterpret_cast<const uint4*>(p);
}

__device__ __forceinline__ void store_chunk(element* p, const uint4 v) {
  *reinterpret_cast<uint4*>(p) = v;
}

__device__ __forceinline__ void load_parts(uint* r, const element* p) {
  *r = *reinterpret_cast<const uint*>(p);
}

__device__ __forceinline__ void load_matrices(uint* r, const element* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<uint>(__cvta_generic_to_shared(p)))
               : "memory");
}

// The differences of the formats, selected by the type of the first argument.
__device__ __forceinline__ void gather(tf32, uint* r, const uint* rows, const uint) {
  *r = rows[0];
}

template <class Eight>
__device__ __forceinline__ void gather(Eight, uint* r, const uint* rows, const uint part) {
  const uint two = part | (part + 4) << 4;  // byte `part` of the first register and of the second
  *r = __byte_perm(__byte_perm(rows[0], rows[1], two), __byte_perm(rows[2], rows[3], two), 0x5410);
}

__device__ __forceinline__ void multiply_add(tf32, float* acc, const uint* a, const uint* b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ uint rounded(tf32, const float x) {
  uint bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

__device__ __forceinline__ void store_four(tf32 format, element* p, const float w, const float x, const float y,
                                           const float z) {
  *reinterpret_cast<uint4*>(p) = make_uint4(rounded(format, w), rounded(format, x), rounded(format, y),
                                            rounded(format, z));
}

#define TILELOOM_EIGHT_BITS(format)                                                                                   \
  __device__ __forceinline__ void multiply_add(format, float* acc, const uint* a, const uint* b) {                    \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." #format "." #format                                         \
                 ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                               \
                 : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])                                             \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                                 \
  }                                                                                                                   \
  __device__ __forceinline__ void store_four(format, element* p, const float w, const float x, const float y,         \
                                             const float z) {                                                        \
    unsigned short lower, upper; /* the instruction takes the upper byte first */                                     \
    asm("cvt.rn.satfinite." #format "x2.f32 %0, %1, %2;" : "=h"(lower) : "f"(x), "f"(w));                             \
    asm("cvt.rn.satfinite." #format "x2.f32 %0, %1, %2;" : "=h"(upper) : "f"(z), "f"(y));                             \
    *reinterpret_cast<uint*>(p) = static_cast<uint>(upper) << 16 | lower;                                             \
  }
TILELOOM_EIGHT_BITS(e4m3)
TILELOOM_EIGHT_BITS(e5m2)

__device__ __forceinline__ void gather(uint* r, const uint* rows, const uint part) {
  gather(element{}, r, rows, part);
}

__device__ __forceinline__ void multiply_add(float* acc, const uint* a, const uint* b) {
  multiply_add(element{}, acc, a, b);
}

__device__ __forceinline__ void store_four(element* p, const float w, const float x, const float y, const float z) {
  store_four(element{}, p, w, x, y, z);
}

#else
#include "kernels/device/elements_on_host.h"
#endif
