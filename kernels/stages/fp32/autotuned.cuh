// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 7: autotuned. The source of rung 6 now supports every tile: a thread
// loads as many float4 of A and B per K tile as the tile needs. BM, BN, BK, TM
// and TN can be chosen freely within the constraint table, and autotuning
// measures which tile is fastest. The default doubles the BK of rung 6: twice
// the multiply-adds between two barriers, for twice the shared memory.

// Still slow, with any tile: the code has block tiles and thread tiles only,
// so that a warp's reads of Bs spread over the whole block tile.
#include "kernels/device/portable.cuh"

KERNEL(autotuned, (BM / TM) * (BN / TN))
(uint M, uint N, uint K, float alpha, gmem<const float> A,  //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {          //  B: K x N, C: M x N
  SHARED_TILES(As, BK * BM, Bs, BK * BN);                   //  As: BK x BM (transposed), Bs: BK x BN
  CONSTANT uint THREADS = (BM / TM) * (BN / TN);
  CONSTANT uint ROWS_A = 4 * THREADS / BK;                  //  rows of A loaded in one pass
  CONSTANT uint ROWS_B = 4 * THREADS / BN;                  //  rows of B loaded in one pass
  const uint threadCol = threadIdx.x % (BN / TN);           //  mapping 1: for the FMAs
  const uint threadRow = threadIdx.x / (BN / TN);
  const uint rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4) * 4;  //  mapping 2
  const uint rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  REGISTERS(float, acc, TM * TN);                           //  acc: TM x TN
  REGISTERS(float, regM, TM);
  REGISTERS(float, regN, TN);
  K_TILES(k0, BK) {
    UNROLL for (uint pass = 0; pass < BM; pass += ROWS_A) {
      const float4 a = load4(A + (pass + rowA) * K + colA);
      As[(colA + 0) * BM + pass + rowA] = a.x;  //  row-major in A, column-major in As
      As[(colA + 1) * BM + pass + rowA] = a.y;
      As[(colA + 2) * BM + pass + rowA] = a.z;
      As[(colA + 3) * BM + pass + rowA] = a.w;
    }
    UNROLL for (uint pass = 0; pass < BK; pass += ROWS_B) {
      store4(Bs + (pass + rowB) * BN + colB, load4(B + (pass + rowB) * N + colB));
    }
    __syncthreads();
    A += BK;
    B += BK * N;

    DOTS(dot, BK) {
      load_run(regM, As + dot * BM + threadRow * TM, TM);
      load_run(regN, Bs + dot * BN + threadCol * TN, TN);
      UNROLL for (uint m = 0; m < TM; ++m) {
        UNROLL for (uint n = 0; n < TN; ++n) {
          acc[m * TN + n] += regM[m] * regN[n];
        }
      }
    }
    __syncthreads();
  }

  UNROLL for (uint m = 0; m < TM; ++m) {
    UNROLL for (uint n = 0; n < TN; n += 4) {
      const uint at = (threadRow * TM + m) * N + threadCol * TN + n;
      float4 c = load4(C + at);
      c.x = alpha * acc[m * TN + n + 0] + beta * c.x;
      c.y = alpha * acc[m * TN + n + 1] + beta * c.y;
      c.z = alpha * acc[m * TN + n + 2] + beta * c.z;
      c.w = alpha * acc[m * TN + n + 3] + beta * c.w;
      store4(C + at, c);
    }
  }
}
