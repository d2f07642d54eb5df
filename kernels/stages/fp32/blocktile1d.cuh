// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 4: 1D block tiling. A thread now computes a column of TM elements of C
// instead of one. It loads each value of Bs into a register once and uses it
// for TM multiply-adds: each k costs TM + 1 shared-memory loads for TM
// multiply-adds, where rung 3 needs two for one. The block tile grows from 32
// x 32 to 64 x 64 with half the threads.

// The unrolled loop reads neighbours along a row of As, and the assembler
// merges four of these loads into one. Still slow: each element of As that a
// thread loads is used by one multiply-add only.
#include "kernels/device/portable.cuh"

KERNEL(blocktile1d, BM * BN / TM)
(uint M, uint N, uint K, float alpha, gmem<const float> A,  //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {          //  B: K x N, C: M x N
  SHARED_TILES(As, BM * BK, Bs, BK * BN);                   //  As: BM x BK, Bs: BK x BN
  CONSTANT uint THREADS = BM * BN / TM;
  CONSTANT uint ROWS_A = THREADS / BK;                      //  rows of As filled in one pass
  CONSTANT uint ROWS_B = THREADS / BN;                      //  rows of Bs filled in one pass

  const uint threadCol = threadIdx.x % BN;                  //  the thread's column of C,
  const uint threadRow = threadIdx.x / BN;                  //  rows threadRow * TM ... + TM - 1
  const uint rowA = threadIdx.x / BK, colA = threadIdx.x % BK;
  const uint rowB = threadIdx.x / BN, colB = threadIdx.x % BN;

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  REGISTERS(float, acc, TM);
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

    UNROLLED_DOTS(dot, BK) {
      const reg<float> b = Bs[dot * BN + threadCol];  //  read once, used TM times
      UNROLL for (uint m = 0; m < TM; ++m) {
        acc[m] += As[(threadRow * TM + m) * BK + dot] * b;
      }
    }
    __syncthreads();
  }

  UNROLL for (uint m = 0; m < TM; ++m) {
    const uint at = (threadRow * TM + m) * N + threadCol;
    C[at] = alpha * acc[m] + beta * C[at];
  }
}
