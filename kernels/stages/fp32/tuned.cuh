// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 14: tuned for the chip. This rung combines the earlier ideas, each
// where it costs least. B is copied with cp.async; A passes through registers,
// because it is transposed, and copying it float by float takes four times the
// instructions. The fragments of the next K tile's first k are loaded while
// the last FMAs of this one run, so that no FMA waits at the barrier between
// them.

// Lanes are mapped in pairs: neighbours own the same columns, and lanes two
// apart the same rows, which halves the wavefronts of 128-bit loads. The outer
// product runs back and forth. An FMA reads three registers and the register
// file delivers two per cycle; the third comes from the operand reuse cache if
// it was an operand of the previous FMA. Each address stays in one register
// and is stepped once per K tile, instead of being recomputed.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"

KERNEL(tuned, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, float alpha, gmem<const float> A,     //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {             //  B: K x N, C: M x N
  CONSTANT uint LDA = BM + PAD;                                //  words from one row of As to the next
  SHARED_TILES(As, 2 * BK * LDA, Bs, 2 * BK * BN);             //  As: 2 of BK x LDA, Bs: 2 of BK x BN
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint LOADS_A = BM * BK / 4 / THREADS;               //  float4 of A that a thread loads
  CONSTANT uint HALVES = BK % 8 == 0 ? 2 : 1;                  //  adjacent float4 in one sector
  CONSTANT uint RUNS = THREADS / HALVES;                       //  that are loaded in one pass
  CONSTANT uint COPIES_B = BK * BN / 4 / THREADS;              //  float4 of B that a thread copies
  CONSTANT uint ROWS_B = 4 * THREADS / BN;                     //  rows of B loaded in one pass
  CONSTANT uint WMITER = WM * WN / (32 * TM * TN * WNITER);    //  subtiles down the warp tile
  CONSTANT uint WSUBM = WM / WMITER, WSUBN = WN / WNITER;      //  one subtile of the warp tile
  CONSTANT uint ROWS = WMITER * TM, COLS = WNITER * TN;        //  of a thread's results
  CONSTANT uint PAIR = WSUBM / TM % 2 == 0 ? 2 : 1;            //  lanes that own the same columns

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);  //  in the block tile
  const uint threadCol = lane / PAIR % (WSUBN / TN);                  //  in a subtile
  const uint threadRow = lane / PAIR / (WSUBN / TN) * PAIR + lane % PAIR;
  const uint run = threadIdx.x / HALVES;                       //  pairs of lanes go down the rows of A
  const uint rowA = run % BM, colA = (run / BM * HALVES + threadIdx.x % HALVES) * 4;
  const uint rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;

  const uint number = blockIdx.y * gridDim.x + blockIdx.x;     //  in the order in which blocks start
  const uint firstRow = number / (GROUP * gridDim.x) * GROUP;  //  of the group's rows of tiles
  const uint rows = gridDim.y - firstRow < GROUP ? gridDim.y - firstRow : GROUP;
  const uint tileRow = firstRow + number % (GROUP * gridDim.x) % rows;
  const uint tileCol = number % (GROUP * gridDim.x) / rows;
  A += (tileRow * BM + rowA) * K + colA;                       //  what this thread loads first
  B += rowB * N + tileCol * BN + colB;
  C += (tileRow * BM + warpRow * WM) * N + tileCol * BN + warpCol * WN;  //  the warp's tile

  REGISTERS(float, acc, ROWS * COLS);
  REGISTERS(float, regM, 2 * ROWS);                            //  two sets of fragments
  REGISTERS(float, regN, 2 * COLS);
  REGISTERS(float, nextA, 4 * LOADS_A);                        //  of the K tile in flight
  auto toA = As + (colA * LDA + rowA), toB = Bs + (rowB * BN + colB);  //  in the pair that is filled
  auto fromA = address(As + (warpRow * WM + threadRow * TM));          //  in the pair that is read
  auto fromB = address(Bs + (warpCol * WN + threadCol * TN));
  int fillA = BK * LDA, fillB = BK * BN;                       //  from one pair to the other, and back
  int readA = BK * LDA, readB = BK * BN;

  const auto fetch = [&] {                                     //  issues the loads of the next K tile
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint row = load * RUNS % BM, col = load * RUNS / BM * HALVES * 4;  //  of this load
      load_run(nextA + load * 4, A + (row * K + col), 4);
    }
    UNROLL for (uint load = 0; load < COPIES_B; ++load) {
      copy_async4(toB + load * ROWS_B * BN, B + load * ROWS_B * N);
    }
    commit_copies();
    A += BK;
    B += BK * N;
    toB += fillB;
    fillB = -fillB;
  };
  const auto put = [&] {                                       //  stores the part of A
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint row = load * RUNS % BM, col = load * RUNS / BM * HALVES * 4;
      UNROLL for (uint i = 0; i < 4; ++i) toA[(col + i) * LDA + row] = nextA[load * 4 + i];
    }
    toA += fillA;
    fillA = -fillA;
  };
  const auto fragments = [&](const uint set, const uint dot) {
    UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
      load_run(regM + set * ROWS + wm * TM, fromA + (dot * LDA + wm * WSUBM), TM);
    }
    UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
      load_run(regN + set * COLS + wn * TN, fromB + (dot * BN + wn * WSUBN), TN);
    }
  };

  fetch();
  put();
  wait_copies(0);
  __syncthreads();
  fragments(0, 0);
  K_TILES(k0, BK) {
    const bool more = HAS_K(k0 + BK);
    if (more) fetch();
    UNROLLED_DOTS(dot, BK) {
      if (dot == BK - 1) {                                     //  the next K tile is needed
        if (more) put();
        wait_copies(0);
        __syncthreads();
        if (more) fromA += readA, fromB += readB;              //  else these loads are not used
        readA = -readA, readB = -readB;
      }
      fragments((dot + 1) % 2, (dot + 1) % BK);
      UNROLL for (uint n = 0; n < COLS; ++n) {
        UNROLL for (uint i = 0; i < ROWS; ++i) {
          const uint m = n % 2 == 0 ? i : ROWS - 1 - i;        //  back and forth
          acc[m * COLS + n] += regM[dot % 2 * ROWS + m] * regN[dot % 2 * COLS + n];
        }
      }
    }
  }

  UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
    UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
      UNROLL for (uint m = 0; m < TM; ++m) {
        UNROLL for (uint n = 0; n < TN; n += 4) {
          const uint i = (wm * TM + m) * COLS + wn * TN + n;
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
