// SPDX-License-Identifier: GPL-3.0-or-later
// Functions for kernels that multiply elements of 4, 8 or 32 bits on tensor cores, in addition to portable.cuh: tf32,
// e4m3, e5m2 or e2m1, as -D ELEMENT=… says. tensor.cuh has the same for 16 bits. A 32-bit register has PARTS elements.
//
//   in a stage                   on the GPU                        on the host (emulator)
//   ---------------------------  --------------------------------  ----------------------------------
//   ELEMENT_KERNEL(id, threads)  an entry of element matrices,     the same as an emulated thread
//                                without alpha and beta
//   emem<const element> A        a pointer, in steps of elements   checked pointer that records accesses
//                                where two have one byte, too
//   ELEMENT_TILES(As, n, Bs, m)  two shared arrays of elements     two arrays of the emulated block
//   FRAGMENTS(a, n)              uint a[n]: n registers            registers with provenance
//   PARTS, CHUNK                 elements in 4 bytes, in 16        the same
//   DEPTH                        elements of K of a multiply_add   the same
//   load_chunk, store_chunk      one 128-bit access                one recorded 128-bit access
//   load_parts(r, p)             one 32-bit load                   one recorded 32-bit load
//   gather(r, rows, i)           element i of each of PARTS        the same
//                                registers, in one register
//   JOINED                       multiply_adds whose sums a lane   the same
//                                stores at once
//   store_sums(p, acc)           acc[0], acc[1], acc[4], acc[5],   one recorded access
//                                … of JOINED multiply_adds,
//                                rounded, in one access
//   DEPTH_STEPS(k, BK)           for (k = 0; k < BK; k += DEPTH),  the loop, noting k
//                                unrolled
//
// and two that all 32 lanes of a warp execute together:
//
//   load_matrices(r, p)          ldmatrix.x4: lane l names by p row l % 8, 16 bytes, of matrix l / 8, and receives
//                                of matrix i, in r[i], 4 bytes: number l % 4 of row l / 4
//   multiply_add(acc, a, b)      mma.m16n8k8 of tf32, mma.m16n8k32 of 8-bit elements, mma.m16n8k64 of 4-bit ones with
//                                shared factors of 1: acc += a b
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
struct e2m1 {
  unsigned char bits;  // of two elements, the first one in the lower half
};
#if !defined(ELEMENT)
#define ELEMENT tf32
#endif
typedef ELEMENT element;

// A pointer to elements that share a byte, in steps of elements. As half a byte has no address, it moves by an even
// number of them.
template <class Pair>
struct pairs {
  Pair* bytes;
  __device__ __forceinline__ pairs operator+(const uint elements) const { return {bytes + elements / 2}; }
  __device__ __forceinline__ void operator+=(const uint elements) { bytes += elements / 2; }
};

template <class Element>
struct in_memory {
  typedef Element* pointer;
  typedef Element* __restrict__ parameter;
  static constexpr uint PER_BYTE = 1;
};
template <>
struct in_memory<e2m1> {
  typedef pairs<e2m1> pointer, parameter;
  static constexpr uint PER_BYTE = 2;
};
template <>
struct in_memory<const e2m1> {
  typedef pairs<const e2m1> pointer, parameter;
};
template <class Element>
using emem = typename in_memory<Element>::parameter;
typedef in_memory<element>::pointer elements;

template <class Element>
__device__ __forceinline__ Element* address(Element* p) {
  return p;
}
template <class Pair>
__device__ __forceinline__ Pair* address(const pairs<Pair> p) {
  return p.bytes;
}

#define PARTS (4 * in_memory<element>::PER_BYTE / static_cast<uint>(sizeof(element)))
#define CHUNK (4 * PARTS)
#define DEPTH (8 * PARTS)
#define JOINED (PARTS > 4 ? PARTS / 2 : 2)

#define ELEMENT_KERNEL(name, threads) extern "C" __global__ void __launch_bounds__(threads) name

#if defined(DYNAMIC_SHARED)
#define ELEMENT_TILES(first, first_count, second, second_count)               \
  extern __shared__ float4 tileloom_dynamic_shared[];                         \
  const elements first{reinterpret_cast<element*>(tileloom_dynamic_shared)}; \
  const elements second = first + (first_count)
#else
#define ELEMENT_TILES(first, first_count, second, second_count)                                     \
  __shared__ __align__(16) element first##_memory[(first_count) / in_memory<element>::PER_BYTE];    \
  __shared__ __align__(16) element second##_memory[(second_count) / in_memory<element>::PER_BYTE];  \
  const elements first{first##_memory}, second{second##_memory}
#endif

#define FRAGMENTS(name, count) uint name[count]
#define DEPTH_STEPS(k, count) _Pragma("unroll") for (uint k = 0; k < (count); k += DEPTH)

template <class Pointer>
__device__ __forceinline__ uint4 load_chunk(const Pointer p) {
  return *reinterpret_cast<const uint4*>(address(p));
}

__device__ __forceinline__ void store_chunk(const elements p, const uint4 v) {
  *reinterpret_cast<uint4*>(address(p)) = v;
}

template <class Pointer>
__device__ __forceinline__ void load_parts(uint* r, const Pointer p) {
  *r = *reinterpret_cast<const uint*>(address(p));
}

template <class Pointer>
__device__ __forceinline__ void load_matrices(uint* r, const Pointer p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<uint>(__cvta_generic_to_shared(address(p))))
               : "memory");
}

// The differences of the formats, selected by the type of the first argument.
__device__ __forceinline__ void gather(tf32, uint* r, const uint* rows, const uint) {
  *r = rows[0];
}

__device__ __forceinline__ void gather(e2m1, uint* r, const uint* rows, const uint part) {
  uint all = 0;
  UNROLL for (uint i = 0; i < 8; ++i) { all |= (rows[i] >> 4 * part & 0xF) << 4 * i; }
  *r = all;
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

__device__ __forceinline__ void store_sums(tf32 format, const elements p, const float* acc) {
  *reinterpret_cast<uint4*>(address(p)) = make_uint4(rounded(format, acc[0]), rounded(format, acc[1]),
                                                     rounded(format, acc[4]), rounded(format, acc[5]));
}

// The instruction multiplies each block of 32 elements of K by factors of e8m0; 127 is a factor of 1.
__device__ __forceinline__ void multiply_add(e2m1, float* acc, const uint* a, const uint* b) {
  asm volatile("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, %10, {0, 0}, %10, {0, 0};"
               : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(0x7F7F7F7F));
}

__device__ __forceinline__ void store_sums(e2m1, const elements p, const float* acc) {
  uint all;  // each conversion takes the upper element first
  asm("{\n"
      ".reg .b8 first, second, third, fourth;\n"
      "cvt.rn.satfinite.e2m1x2.f32 first, %2, %1;\n"
      "cvt.rn.satfinite.e2m1x2.f32 second, %4, %3;\n"
      "cvt.rn.satfinite.e2m1x2.f32 third, %6, %5;\n"
      "cvt.rn.satfinite.e2m1x2.f32 fourth, %8, %7;\n"
      "mov.b32 %0, {first, second, third, fourth};\n"
      "}"
      : "=r"(all)
      : "f"(acc[0]), "f"(acc[1]), "f"(acc[4]), "f"(acc[5]), "f"(acc[8]), "f"(acc[9]), "f"(acc[12]), "f"(acc[13]));
  *reinterpret_cast<uint*>(address(p)) = all;
}

#define TILELOOM_EIGHT_BITS(format)                                                                                   \
  __device__ __forceinline__ void multiply_add(format, float* acc, const uint* a, const uint* b) {                    \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." #format "." #format                                         \
                 ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                               \
                 : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])                                             \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                                 \
  }                                                                                                                   \
  __device__ __forceinline__ void store_sums(format, const elements p, const float* acc) {                       \
    unsigned short lower, upper; /* the instruction takes the upper byte first */                                     \
    asm("cvt.rn.satfinite." #format "x2.f32 %0, %1, %2;" : "=h"(lower) : "f"(acc[1]), "f"(acc[0]));                   \
    asm("cvt.rn.satfinite." #format "x2.f32 %0, %1, %2;" : "=h"(upper) : "f"(acc[5]), "f"(acc[4]));                   \
    *reinterpret_cast<uint*>(address(p)) = static_cast<uint>(upper) << 16 | lower;                                    \
  }
TILELOOM_EIGHT_BITS(e4m3)
TILELOOM_EIGHT_BITS(e5m2)

__device__ __forceinline__ void gather(uint* r, const uint* rows, const uint part) {
  gather(element{}, r, rows, part);
}

__device__ __forceinline__ void multiply_add(float* acc, const uint* a, const uint* b) {
  multiply_add(element{}, acc, a, b);
}

__device__ __forceinline__ void store_sums(const elements p, const float* acc) {
  store_sums(element{}, p, acc);
}

#else
#include "kernels/device/elements_on_host.h"
#endif
