// SPDX-License-Identifier: GPL-3.0-or-later
// The portability header on the GPU: every name becomes plain CUDA, as written by hand.
#pragma once

typedef unsigned int uint;

template <class T>
using gmem = T* __restrict__;
template <class T>
using smem = T*;
template <class T>
using reg = T;

#define KERNEL(name, threads) extern "C" __global__ void __launch_bounds__(threads) name

// A block may own more than 48 KiB of shared memory only as one dynamic array and after an opt-in,
// so the launcher defines DYNAMIC_SHARED for such tiles.
#if defined(DYNAMIC_SHARED)
#define SHARED_TILES(first, first_count, second, second_count)      \
  extern __shared__ float4 tileloom_dynamic_shared[];               \
  float* const first = reinterpret_cast<float*>(tileloom_dynamic_shared); \
  float* const second = first + (first_count)
#else
#define SHARED_TILES(first, first_count, second, second_count) \
  __shared__ __align__(16) float first[first_count];           \
  __shared__ __align__(16) float second[second_count]
#endif

#define REGISTERS(type, name, count) type name[count] = {}
#define REGISTER(type, name) type name = 0
#define CONSTANT constexpr
#define UNROLL _Pragma("unroll")

#define K_TILES(k0, step) for (uint k0 = 0; k0 < K; k0 += (step))
// Four tiles per iteration, which gains 8 % in rung 3 on an H100. The counter is signed: the compiler must assume
// that an unsigned one wraps around, needs more instructions for the loop's tests and address steps, and loses
// most of the gain.
#define UNROLLED_K_TILES(k0, step) \
  _Pragma("unroll 4") for (int k0 = 0; k0 < K; k0 += (step))
#define K_DOTS(k) for (uint k = 0; k < K; ++k)
#define DOTS(dot, count) for (uint dot = 0; dot < (count); ++dot)
#define UNROLLED_DOTS(dot, count) \
  _Pragma("unroll") for (uint dot = 0; dot < (count); ++dot)
#define ROLLED_DOTS(dot, count) \
  _Pragma("unroll 1") for (uint dot = 0; dot < (count); ++dot)

__device__ __forceinline__ float4 load4(const float* p) {
  return *reinterpret_cast<const float4*>(p);
}

__device__ __forceinline__ void store4(float* p, const float4& v) {
  *reinterpret_cast<float4*>(p) = v;
}

// Copies `count` (a constant) consecutive shared floats at `p` into registers `r`, 128, 64 or 32 bits
// at a time as `count` allows. `p` is aligned to that width.
__device__ __forceinline__ void load_run(float* r, const float* p, const uint count) {
  if (count % 4 == 0) {
    UNROLL for (uint i = 0; i < count; i += 4) {
      const float4 v = load4(p + i);
      r[i] = v.x, r[i + 1] = v.y, r[i + 2] = v.z, r[i + 3] = v.w;
    }
  } else if (count % 2 == 0) {
    UNROLL for (uint i = 0; i < count; i += 2) {
      const float2 v = *reinterpret_cast<const float2*>(p + i);
      r[i] = v.x, r[i + 1] = v.y;
    }
  } else {
    UNROLL for (uint i = 0; i < count; ++i) r[i] = p[i];
  }
}
