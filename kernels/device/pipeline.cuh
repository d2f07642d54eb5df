// SPDX-License-Identifier: GPL-3.0-or-later
// More functions for stages whose K tiles overlap (rungs 11 and up), in addition to portable.cuh:
//
//   in a stage                  on the GPU                        on the host (emulator)
//   --------------------------  --------------------------------  -----------------------------------
//   HAS_K(k)                    k < K                             the same, or up to where a trace ends
//   address(p)                  p, a pointer to shared memory,    the checked pointer
//                               in one 32-bit register
//   store_run(p, r, n)          n floats, widest access allowed   the same accesses, recorded
//   copy_async(p, q)            cp.async: 4 bytes from q to       a recorded copy that arrives when its
//   copy_async4(p, q)           shared p; or 16                   group is waited for, not earlier
//   commit_copies()             closes a group of copies          the same
//   wait_copies(n)              until all but the n newest        the same: their words arrive now
//                               groups of this thread arrive
//
// A copy is visible to the thread that waited; to the others after the next __syncthreads(). `n` is a
// constant.
#pragma once

#if defined(__CUDACC__)

#define HAS_K(k) ((k) < K)

// The 32 bits of address of a pointer to shared memory: one register, stepped by
// one addition. From a plain pointer the compiler would compute the address again
// at each use. Loads through it stay in the order of the source.
struct saddr {
  uint bytes;
  __device__ __forceinline__ saddr operator+(const int floats) const { return {bytes + 4 * floats}; }
  __device__ __forceinline__ void operator+=(const int floats) { bytes += 4 * floats; }
};

__device__ __forceinline__ saddr address(const float* p) {
  return {static_cast<uint>(__cvta_generic_to_shared(p))};
}

__device__ __forceinline__ void load_run(float* r, const saddr p, const uint count) {
  if (count % 4 == 0) {
    UNROLL for (uint i = 0; i < count; i += 4) {
      asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(r[i]), "=f"(r[i + 1]), "=f"(r[i + 2]), "=f"(r[i + 3])
                   : "r"(p.bytes + 4 * i)
                   : "memory");
    }
  } else if (count % 2 == 0) {
    UNROLL for (uint i = 0; i < count; i += 2) {
      asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
                   : "=f"(r[i]), "=f"(r[i + 1])
                   : "r"(p.bytes + 4 * i)
                   : "memory");
    }
  } else {
    UNROLL for (uint i = 0; i < count; ++i) {
      asm volatile("ld.shared.f32 %0, [%1];" : "=f"(r[i]) : "r"(p.bytes + 4 * i) : "memory");
    }
  }
}

// Copies `count` (a constant) registers to consecutive shared floats at `p`, 128, 64 or 32 bits at a time
// as `count` allows. `p` is aligned to that width.
__device__ __forceinline__ void store_run(float* p, const float* r, const uint count) {
  if (count % 4 == 0) {
    UNROLL for (uint i = 0; i < count; i += 4) store4(p + i, make_float4(r[i], r[i + 1], r[i + 2], r[i + 3]));
  } else if (count % 2 == 0) {
    UNROLL for (uint i = 0; i < count; i += 2) {
      *reinterpret_cast<float2*>(p + i) = make_float2(r[i], r[i + 1]);
    }
  } else {
    UNROLL for (uint i = 0; i < count; ++i) p[i] = r[i];
  }
}

__device__ __forceinline__ void copy_async(float* p, const float* q) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   static_cast<uint>(__cvta_generic_to_shared(p))),
               "l"(q)
               : "memory");
}

// Past L1: the copied data are read only from shared memory.
__device__ __forceinline__ void copy_async4(float* p, const float* q) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint>(__cvta_generic_to_shared(p))),
               "l"(q)
               : "memory");
}

__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

#define wait_copies(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")

#endif
