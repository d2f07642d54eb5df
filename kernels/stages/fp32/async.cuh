// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 12: asynchronous copies. Since Ampere, cp.async copies from global to
// shared memory without registers. Copies in flight need neither registers nor
// a store, and a thread can prefetch STAGES - 1 K tiles instead of one. Before
// a thread reads a tile, it waits until at most STAGES - 2 of its commit
// groups, one group per K tile, are in flight; the barrier then makes the
// copies of the other threads visible.

// A read before that point returns the old contents. B is copied 16 bytes at a
// time. A is transposed during the copy, and is copied float by float, the
// smallest size of cp.async. The price is STAGES pairs of tiles. Still slow:
// blocks that run at the same time share little of what L2 holds.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"

KERNEL(async, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, float alpha, gmem<const float> A,     //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {             //  B: K x N, C: M x N
  CONSTANT uint LDA = BM + PAD;                                //  words from one row of As to the next
  SHARED_TILES(As, STAGES * BK * LDA, Bs, STAGES * BK * BN);   //  STAGES of BK x LDA, of BK x BN
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint COPIES_A = BM * BK / THREADS;                  //  floats of A that a thread copies
  CONSTANT uint COPIES_B = BK * BN / 4 / THREADS;              //  and float4 of B
  CONSTANT uint RUN = BK % 8 == 0 ? 8 : 4;                     //  adjacent lanes: one sector of A
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

  const auto copy = [&](const uint buffer) {                   //  issues the loads of the next K tile
    UNROLL for (uint load = 0; load < COPIES_A; ++load) {
      const uint run = (load * THREADS + threadIdx.x) / RUN;   //  runs go down the rows first
      const uint rowA = run % BM, colA = run / BM * RUN + threadIdx.x % RUN;
      copy_async(As + buffer * BK * LDA + colA * LDA + rowA, A + rowA * K + colA);
    }
    UNROLL for (uint load = 0; load < COPIES_B; ++load) {
      const uint row = load * ROWS_B + rowB;
      copy_async4(Bs + buffer * BK * BN + row * BN + colB, B + row * N + colB);
    }
    A += BK;
    B += BK * N;
  };

  UNROLL for (uint stage = 0; stage < STAGES - 1; ++stage) {
    if (HAS_K(stage * BK)) copy(stage);
    commit_copies();                                           //  empty groups count, too
  }
  uint buffer = 0;                                             //  the pair of tiles that is read
  K_TILES(k0, BK) {
    wait_copies(STAGES - 2);                                   //  this K tile has arrived
    __syncthreads();                                           //  in all warps, and the pair read last is free
    if (HAS_K(k0 + (STAGES - 1) * BK)) copy(buffer == 0 ? STAGES - 1 : buffer - 1);
    commit_copies();
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
    buffer = buffer == STAGES - 1 ? 0 : buffer + 1;
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
