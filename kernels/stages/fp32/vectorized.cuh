// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 6: vectorised. This rung makes two changes to rung 5. Global memory is
// read and written four floats at a time. The tile of A is transposed when it
// is stored to shared memory: As now holds K down and M across, so that the TM
// values that a thread needs for one k are adjacent and arrive in 128-bit
// loads.

// The transposition needs no extra copy, but its four scalar stores are BM
// floats apart. Lanes that load from one row store to the same bank: a
// conflict that remains up to rung 8, four-way where BK is 16. Reads of Bs
// still conflict as in rung 5. Each thread moves exactly one float4 of A and
// one of B per K tile; rung 7 removes that limit.
#include "kernels/device/portable.cuh"

KERNEL(vectorized, (BM / TM) * (BN / TN))
(uint M, uint N, uint K, float alpha, gmem<const float> A,  //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {          //  B: K x N, C: M x N
  SHARED_TILES(As, BK * BM, Bs, BK * BN);                   //  As: BK x BM (transposed), Bs: BK x BN
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
    const float4 a = load4(A + rowA * K + colA);
    As[(colA + 0) * BM + rowA] = a.x;  //  row-major in A, column-major in As
    As[(colA + 1) * BM + rowA] = a.y;
    As[(colA + 2) * BM + rowA] = a.z;
    As[(colA + 3) * BM + rowA] = a.w;
    store4(Bs + rowB * BN + colB, load4(B + rowB * N + colB));
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
