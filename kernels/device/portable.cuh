// SPDX-License-Identifier: GPL-3.0-or-later
// The one header that a stage includes. It defines the same few names for GPU and host:
//
//   in a stage                  on the GPU (NVRTC, nvcc)          on the host (emulator)
//   --------------------------  --------------------------------  -----------------------------------
//   gmem<const float> A         const float* __restrict__ A       checked pointer that records accesses
//   SHARED_TILES(As, n, Bs, m)  two shared arrays                 two arrays of the emulated block
//   REGISTERS(float, acc, n)    float acc[n], all zero            registers with provenance
//   REGISTER(float, sum)        float sum = 0                     one such register
//   reg<float> b               float b                           a value with provenance
//   load4(p), store4(p, v)      one 128-bit access                one recorded 128-bit access
//   load_run(r, p, n)           n floats, widest access allowed   the same accesses, recorded
//   K_TILES(k0, BK)             for (k0 = 0; k0 < K; k0 += BK)    the loop, noting the K tile
//   UNROLLED_K_TILES(k0, BK)    the same, four per iteration      the same
//   K_DOTS(k)                   for (k = 0; k < K; ++k)           the loop, noting K tile and k
//   DOTS(dot, BK)               for (dot = 0; dot < BK; ++dot)    the loop, noting k
//   UNROLLED_DOTS, ROLLED_DOTS  the same with a forced unrolling  the same
//   CONSTANT uint X = …;        constexpr uint X = …;             const uint X = …;
//   UNROLL                      #pragma unroll                    nothing
//   BM, BN, …                   -D constants                      fields of the current tile
//
// `threadIdx`, `blockIdx` and `__syncthreads()` are the same in both.
#pragma once

#if defined(__CUDACC__)
#include "kernels/device/on_device.cuh"
#else
#include "kernels/device/on_host.h"
#endif
