// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 16: main loop rewritten. The source says what is computed and no longer
// when: it is as simple as that of rung 14, with the lanes of rung 15. After
// the assembler has compiled it, Tileloom rewrites the SASS of the main loop
// (kernels/rewrite): multiply-adds in blocks of two by two, each load of a
// fragment as far ahead of its use as a second set of fragments allows, and
// everything else spread between them. On GPUs with unknown timing, the kernel
// runs as the assembler compiled it.

// Few issue slots are taken from multiply-adds: each address in shared memory
// is one register, and one addition steps it once per K tile. With SPLIT > 1,
// tiles of a last wave that would leave SMs idle are split along K (split-K).
// Each part is a block of its own, so that there is no loop around the main
// loop, and the part that ends last adds the sums of all.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/strides.cuh"
#include "kernels/device/parts.cuh"

PART_KERNEL(rewritten, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, float alpha, gmem<const float> A,     //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C,               //  B: K x N, C: M x N
 gmem<float> left) {                                           //  partial sums of split tiles
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
  CONSTANT uint DOWN = WSUBM / TM, ACROSS = WSUBN / TN;        //  lanes in a subtile

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);  //  in the block tile
  const uint threadRow = lane % DOWN, threadCol = lane / DOWN ^ threadRow % ACROSS;  //  in a subtile
  const uint run = threadIdx.x / HALVES;                       //  pairs of lanes go down the rows of A
  const uint rowA = run % BM, colA = (run / BM * HALVES + threadIdx.x % HALVES) * 4;
  const uint rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;

  const uint number = blockIdx.y * gridDim.x + blockIdx.x;     //  in the order in which blocks start
  const auto mine = part_of(left, number, K);                  //  of a tile: all of its K, or some
  const uint across = N / BN, down = M / BM;                   //  tiles of C
  const uint firstRow = mine.tile / (GROUP * across) * GROUP;  //  of the group's rows of tiles
  const uint rows = down - firstRow < GROUP ? down - firstRow : GROUP;
  const uint tileRow = firstRow + mine.tile % (GROUP * across) % rows;
  const uint tileCol = mine.tile % (GROUP * across) / rows;
  A += (tileRow * BM + rowA) * K + mine.from + colA;           //  what this thread loads first
  B += (mine.from + rowB) * N + tileCol * BN + colB;
  C += (tileRow * BM + warpRow * WM) * N + tileCol * BN + warpCol * WN;  //  the warp's tile

  REGISTERS(float, acc, ROWS * COLS);
  REGISTERS(float, regM, 2 * ROWS);                            //  two sets of fragments
  REGISTERS(float, regN, 2 * COLS);
  REGISTERS(float, nextA, 4 * LOADS_A);                        //  of the K tile in flight
  auto toA = address(As + (colA * LDA + rowA));                //  in the pair that is filled
  auto toB = address(Bs + (rowB * BN + colB));
  auto fromA = address(As + (warpRow * WM + threadRow * TM));  //  in the pair that is read
  auto fromB = address(Bs + (warpCol * WN + threadCol * TN));
  auto otherA = stride(BK * LDA), otherB = stride(BK * BN);    //  from there to the other pair

  const auto fetch = [&] {                                     //  issues the loads of the next K tile
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint row = load * RUNS % BM, col = load * RUNS / BM * HALVES * 4;  //  of this load
      load_run(nextA + load * 4, A + (row * K + col), 4);
    }
    UNROLL for (uint load = 0; load < COPIES_B; ++load) {
      copy_async4(toB + load * ROWS_B * BN, B + load * ROWS_B * N);
    }
    commit_copies();
  };
  const auto put = [&] {                                       //  stores the part of A
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint row = load * RUNS % BM, col = load * RUNS / BM * HALVES * 4;
      UNROLL for (uint i = 0; i < 4; ++i) store_run(toA + ((col + i) * LDA + row), nextA + (load * 4 + i), 1);
    }
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
  A += BK, B += BK * N;
  toA += otherA, toB += otherB;
  wait_copies(0);
  __syncthreads();
  fragments(0, 0);
  PART_TILES(k0, BK, mine) {
    const bool more = HAS_PART(k0 + BK, mine);
    if (more) fetch();
    A += BK, B += BK * N;
    UNROLLED_DOTS(dot, BK) {
      if (dot == BK - 1) {                                     //  the next K tile is needed
        if (more) put();
        wait_copies(0);
        __syncthreads();
        if (more) fromA += otherA, fromB += otherB;            //  else these loads are not used
        otherA = -otherA, otherB = -otherB;
        toA += otherA, toB += otherB;
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

  if (SPLIT > 1) {
    const auto its = sums_of(left, number);
    if (its.count > 1) {                                       //  other blocks compute the rest of the tile
      const auto sums = left + (its.sums + threadIdx.x * 4);   //  of the first part; each has BM * BN
      leave_sums(sums + its.which * BM * BN, acc, ROWS * COLS, THREADS * 4);
      if (!last_to_leave(left + its.flag, its.count, As)) return;
      add_sums(acc, sums, ROWS * COLS, THREADS * 4, its.count, BM * BN);
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
