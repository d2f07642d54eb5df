// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 11: double buffering. Rung 10 waits twice per K tile: until all threads
// have read the old tile, and until all have stored the new one, which comes
// from global memory several hundred cycles after its load. Shared memory now
// holds two pairs of tiles. At the beginning of a K tile each thread loads its
// part of the next one into registers; at the end, long after its arrival, the
// thread stores it into the pair that is not being read. One barrier per K
// tile is left, and no warp waits for memory there.

// The price is a second pair of tiles, and registers for the loads in flight.
// Still slow: these registers, and the instructions that move each float
// through them.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"

KERNEL(doublebuffered, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, float alpha, gmem<const float> A,     //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {             //  B: K x N, C: M x N
  CONSTANT uint LDA = BM + PAD;                                //  words from one row of As to the next
  SHARED_TILES(As, 2 * BK * LDA, Bs, 2 * BK * BN);             //  As: 2 of BK x LDA, Bs: 2 of BK x BN
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint LOADS_A = BM * BK / 4 / THREADS;               //  float4 of A that a thread loads
  CONSTANT uint HALVES = BK % 8 == 0 ? 2 : 1;                  //  adjacent float4 in one sector
  CONSTANT uint LOADS_B = BK * BN / 4 / THREADS;               //  and of B
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
  REGISTERS(float, nextA, 4 * LOADS_A);                        //  of the K tile in flight
  REGISTERS(float, nextB, 4 * LOADS_B);

  const auto fetch = [&] {                                     //  issues the loads of the next K tile
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint pair = (load * THREADS + threadIdx.x) / HALVES;
      const uint rowA = pair % BM, colA = (pair / BM * HALVES + threadIdx.x % HALVES) * 4;
      load_run(nextA + load * 4, A + rowA * K + colA, 4);
    }
    UNROLL for (uint load = 0; load < LOADS_B; ++load) {
      load_run(nextB + load * 4, B + (load * ROWS_B + rowB) * N + colB, 4);
    }
    A += BK;
    B += BK * N;
  };
  const auto put = [&](const uint buffer) {                    //  stores that K tile
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint pair = (load * THREADS + threadIdx.x) / HALVES;
      const uint rowA = pair % BM, colA = (pair / BM * HALVES + threadIdx.x % HALVES) * 4;
      UNROLL for (uint i = 0; i < 4; ++i) {
        As[buffer * BK * LDA + (colA + i) * LDA + rowA] = nextA[load * 4 + i];
      }
    }
    UNROLL for (uint load = 0; load < LOADS_B; ++load) {
      store_run(Bs + buffer * BK * BN + (load * ROWS_B + rowB) * BN + colB, nextB + load * 4, 4);
    }
  };

  uint buffer = 0;                                             //  the pair of tiles that is read
  fetch();
  put(buffer);
  __syncthreads();
  K_TILES(k0, BK) {
    if (HAS_K(k0 + BK)) fetch();
    const auto tileA = As + buffer * BK * LDA + warpRow * WM + threadRow * TM;
    const auto tileB = Bs + buffer * BK * BN + warpCol * WN + threadCol * TN;
    UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
      load_run(regM + wm * TM, tileA + wm * WSUBM, TM);
    }
    UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
      load_run(regN + wn * TN, tileB + wn * WSUBN, TN);
    }
    UNROLLED_DOTS(dot, BK) {
      const uint nowM = dot % 2 * WMITER * TM, nextM = WMITER * TM - nowM;
      const uint nowN = dot % 2 * WNITER * TN, nextN = WNITER * TN - nowN;
      if (dot + 1 < BK) {
        UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
          load_run(regM + nextM + wm * TM, tileA + (dot + 1) * LDA + wm * WSUBM, TM);
        }
        UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
          load_run(regN + nextN + wn * TN, tileB + (dot + 1) * BN + wn * WSUBN, TN);
        }
      }
      UNROLL for (uint m = 0; m < WMITER * TM; ++m) {
        UNROLL for (uint n = 0; n < WNITER * TN; ++n) {
          acc[m * (WNITER * TN) + n] += regM[nowM + m] * regN[nowN + n];
        }
      }
    }
    buffer = 1 - buffer;
    if (HAS_K(k0 + BK)) put(buffer);
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
