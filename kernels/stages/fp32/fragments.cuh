// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 10: fragment double buffering. In rung 9 the FMAs of one k cannot begin
// before its fragments arrive from shared memory, about thirty cycles after
// the load, and an SM with few warps has no other work in that time. Now each
// thread has two sets of fragments: while the FMAs of one k use one set, the
// loads for the next k fill the other.

// The loop over k is unrolled, because registers have no addresses: the set
// that an instruction uses must be known at compile time. The price is one
// more set of fragments in registers. Still slow: at each end of a K tile the
// whole block waits until the next tile has come from global memory.
#include "kernels/device/portable.cuh"

KERNEL(fragments, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, float alpha, gmem<const float> A,     //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {             //  B: K x N, C: M x N
  CONSTANT uint LDA = BM + PAD;                                //  words from one row of As to the next
  SHARED_TILES(As, BK * LDA, Bs, BK * BN);                     //  As: BK x LDA (transposed), Bs: BK x BN
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint LOADS_A = BM * BK / 4 / THREADS;               //  float4 of A that a thread loads
  CONSTANT uint HALVES = BK % 8 == 0 ? 2 : 1;                  //  adjacent float4 in one sector
  CONSTANT uint ROWS_B = 4 * THREADS / BN;                     //  rows of B loaded in one pass
  CONSTANT uint WMITER = WM * WN / (32 * TM * TN * WNITER);    //  subtiles down the warp tile
  CONSTANT uint WSUBM = WM / WMITER, WSUBN = WN / WNITER;      //  one subtile of the warp tile

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);          //  in the block tile
  const uint threadRow = lane / (WSUBN / TN), threadCol = lane % (WSUBN / TN);  //  in a subtile
  const uint rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;  //  the warp's tile

  REGISTERS(float, acc, WMITER * TM * WNITER * TN);            //  acc: (WMITER TM) x (WNITER TN)
  REGISTERS(float, regM, 2 * WMITER * TM);                     //  two sets of fragments
  REGISTERS(float, regN, 2 * WNITER * TN);
  K_TILES(k0, BK) {
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint pair = (load * THREADS + threadIdx.x) / HALVES;  //  pairs run down the rows first
      const uint rowA = pair % BM, colA = (pair / BM * HALVES + threadIdx.x % HALVES) * 4;
      const float4 a = load4(A + rowA * K + colA);
      As[(colA + 0) * LDA + rowA] = a.x;
      As[(colA + 1) * LDA + rowA] = a.y;
      As[(colA + 2) * LDA + rowA] = a.z;
      As[(colA + 3) * LDA + rowA] = a.w;
    }
    UNROLL for (uint pass = 0; pass < BK; pass += ROWS_B) {
      store4(Bs + (pass + rowB) * BN + colB, load4(B + (pass + rowB) * N + colB));
    }
    __syncthreads();
    A += BK;
    B += BK * N;

    UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
      load_run(regM + wm * TM, As + warpRow * WM + wm * WSUBM + threadRow * TM, TM);
    }
    UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
      load_run(regN + wn * TN, Bs + warpCol * WN + wn * WSUBN + threadCol * TN, TN);
    }
    UNROLLED_DOTS(dot, BK) {
      const uint nowM = dot % 2 * WMITER * TM, nextM = WMITER * TM - nowM;
      const uint nowN = dot % 2 * WNITER * TN, nextN = WNITER * TN - nowN;
      if (dot + 1 < BK) {
        UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
          load_run(regM + nextM + wm * TM,
                   As + (dot + 1) * LDA + warpRow * WM + wm * WSUBM + threadRow * TM, TM);
        }
        UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
          load_run(regN + nextN + wn * TN,
                   Bs + (dot + 1) * BN + warpCol * WN + wn * WSUBN + threadCol * TN, TN);
        }
      }
      UNROLL for (uint m = 0; m < WMITER * TM; ++m) {
        UNROLL for (uint n = 0; n < WNITER * TN; ++n) {
          acc[m * (WNITER * TN) + n] += regM[nowM + m] * regN[nowN + n];
        }
      }
    }
    __syncthreads();
  }

  UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
    UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
      UNROLL for (uint m = 0; m < TM; ++m) {
        UNROLL for (uint n = 0; n < TN; n += 4) {
          const uint i = (wm * TM + m) * (WNITER * TN) + wn * TN + n;
          const uint at = (wm * WSUBM + threadRow * TM + m) * N + wn * WSUBN + threadCol * TN + n;
          float4 c = load4(C + at);
          c.x = alpha * acc[i + 0] + beta * c.x;
          c.y = alpha * acc[i + 1] + beta * c.y;
          c.z = alpha * acc[i + 2] + beta * c.z;
          c.w = alpha * acc[i + 3] + beta * c.w;
          store4(C + at, c);
        }
      }
    }
  }
}
