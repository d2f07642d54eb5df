// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 5: 2D block tiling. A thread computes a TM x TN rectangle of C. For
// each k it loads TM values of As and TN of Bs into registers and computes
// their outer product. TM + TN shared-memory loads feed TM * TN multiply-adds:
// with 8 x 8, each loaded value is used eight times.

// A thread fills the shared tiles with one mapping and multiplies with
// another; the two may differ. Still slow: reads of As go down a column, one
// float at a time, with several lanes in one bank. The fragments of Bs are
// eight floats apart, so that wide reads of Bs have bank conflicts.
#include "kernels/device/portable.cuh"

KERNEL(blocktile2d, (BM / TM) * (BN / TN))
(uint M, uint N, uint K, float alpha, gmem<const float> A,  //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {          //  B: K x N, C: M x N
  SHARED_TILES(As, BM * BK, Bs, BK * BN);                   //  As: BM x BK, Bs: BK x BN
  CONSTANT uint THREADS = (BM / TM) * (BN / TN);
  CONSTANT uint ROWS_A = THREADS / BK;                      //  rows of As filled in one pass
  CONSTANT uint ROWS_B = THREADS / BN;                      //  rows of Bs filled in one pass

  const uint threadCol = threadIdx.x % (BN / TN);           //  mapping 1: for the FMAs
  const uint threadRow = threadIdx.x / (BN / TN);
  const uint rowA = threadIdx.x / BK, colA = threadIdx.x % BK;  //  mapping 2: for the loads
  const uint rowB = threadIdx.x / BN, colB = threadIdx.x % BN;

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  REGISTERS(float, acc, TM * TN);                           //  acc: TM x TN
  REGISTERS(float, regM, TM);
  REGISTERS(float, regN, TN);
  K_TILES(k0, BK) {
    UNROLL for (uint pass = 0; pass < BM; pass += ROWS_A) {
      As[(pass + rowA) * BK + colA] = A[(pass + rowA) * K + colA];
    }
    UNROLL for (uint pass = 0; pass < BK; pass += ROWS_B) {
      Bs[(pass + rowB) * BN + colB] = B[(pass + rowB) * N + colB];
    }
    __syncthreads();
    A += BK;
    B += BK * N;

    ROLLED_DOTS(dot, BK) {  //  TM * TN multiply-adds fill a loop body
      UNROLL for (uint m = 0; m < TM; ++m) {
        regM[m] = As[(threadRow * TM + m) * BK + dot];
      }
      UNROLL for (uint n = 0; n < TN; ++n) {
        regN[n] = Bs[dot * BN + threadCol * TN + n];
      }
      UNROLL for (uint m = 0; m < TM; ++m) {
        UNROLL for (uint n = 0; n < TN; ++n) {
          acc[m * TN + n] += regM[m] * regN[n];
        }
      }
    }
    __syncthreads();
  }

  UNROLL for (uint m = 0; m < TM; ++m) {
    UNROLL for (uint n = 0; n < TN; ++n) {
      const uint at = (threadRow * TM + m) * N + threadCol * TN + n;
      C[at] = alpha * acc[m * TN + n] + beta * C[at];
    }
  }
}
