// SPDX-License-Identifier: GPL-3.0-or-later
// More functions for stages that step and fill shared memory through addresses of one register each, in addition
// to those of pipeline.cuh:
//
//   in a stage                  on the GPU                        on the host (emulator)
//   --------------------------  --------------------------------  -----------------------------------
//   stride(n)                   n floats: added to an address(p)  n
//                               in one instruction; may be negated
//   store_run(a, r, n)          n floats to an address(p)         the same accesses, recorded
//   copy_async4(a, q)           4 floats to an address(p)         a recorded copy
#pragma once

#if defined(__CUDACC__)

struct sstride {
  int bytes;
  __device__ __forceinline__ sstride operator-() const { return {-bytes}; }
};

__device__ __forceinline__ sstride stride(const int floats) { return {4 * floats}; }

__device__ __forceinline__ void operator+=(saddr& p, const sstride& by) { p.bytes += by.bytes; }

__device__ __forceinline__ void store_run(const saddr p, const float* r, const uint count) {
  if (count % 4 == 0) {
    UNROLL for (uint i = 0; i < count; i += 4) {
      asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(p.bytes + 4 * i), "f"(r[i]), "f"(r[i + 1]),
                   "f"(r[i + 2]), "f"(r[i + 3])
                   : "memory");
    }
  } else if (count % 2 == 0) {
    UNROLL for (uint i = 0; i < count; i += 2) {
      asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(p.bytes + 4 * i), "f"(r[i]), "f"(r[i + 1]) : "memory");
    }
  } else {
    UNROLL for (uint i = 0; i < count; ++i) {
      asm volatile("st.shared.f32 [%0], %1;" ::"r"(p.bytes + 4 * i), "f"(r[i]) : "memory");
    }
  }
}

// Past L1: the copied data are read only from shared memory.
__device__ __forceinline__ void copy_async4(const saddr p, const float* q) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(p.bytes), "l"(q) : "memory");
}

#endif
