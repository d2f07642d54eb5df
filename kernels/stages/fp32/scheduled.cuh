// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 15: scheduled by the source. Rung 14 leaves the order of its
// instructions to the assembler, which moves the loads of fragments close to
// their use. Here the source fixes the order: the multiply-adds of one k are
// in blocks of two rows by two columns, and after every SPACE of them is one
// load of the next k's fragments, so that the loads never queue. Such a block
// reads an even and an odd register of A and of B, and loses no cycle to
// conflicts of the two register banks.

// An option makes the assembler optimise less (see the descriptor); otherwise
// it would order everything again. Lanes are mapped by XOR: no load has bank
// conflicts, and no two neighbours share all their addresses, because a load
// that fills two registers at a time keeps multiply-adds from the register
// file. This mapping takes twice the wavefronts, for which 16 x 8 results per
// thread leave room. Where C is small there are too few such tiles, and rung
// 14 is faster. Still slow: even so the assembler keeps the source's order
// only roughly.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"

KERNEL(scheduled, (BM / WM) * (BN / WN) * 32)
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
  CONSTANT uint DOWN = WSUBM / TM, ACROSS = WSUBN / TN;        //  lanes in a subtile
  CONSTANT uint WIDTH = TM % 4 == 0 ? 4 : TM % 2 == 0 ? 2 : 1;  //  floats of A in one load; 4 of B
  CONSTANT uint LOADS_N = COLS / 4, LOADS = LOADS_N + ROWS / WIDTH;  //  of the fragments of one k
  CONSTANT uint ROOM = ROWS * COLS / LOADS;                    //  multiply-adds for each load
  CONSTANT uint SPACE = ROOM < 14 ? ROOM : 14;                 //  from one load to the next

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);  //  in the block tile
  const uint threadRow = lane % DOWN, threadCol = lane / DOWN ^ threadRow % ACROSS;  //  in a subtile
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
  const auto fragment = [&](const uint set, const uint dot, const uint load) {  //  one of LOADS loads
    if (load < LOADS_N) {
      const uint n = load * 4;
      load_run(regN + (set * COLS + n), fromB + (dot * BN + n / TN * WSUBN + n % TN), 4);
    } else {
      const uint m = (load - LOADS_N) * WIDTH;
      load_run(regM + (set * ROWS + m), fromA + (dot * LDA + m / TM * WSUBM + m % TM), WIDTH);
    }
  };
  const auto multiply_add = [&](const uint dot, const uint i) {  //  the i-th of one k
    const uint pair = i / (2 * COLS) * 2;                      //  of rows
    const bool both = pair + 1 < ROWS;                         //  the last row may have no partner
    const uint place = i - pair * COLS;                        //  in the pair, block after block
    const uint block = both ? place / 4 * 2 : place / 2 * 2, corner = both ? place % 4 : place % 2;
    const uint col = pair % 4 == 0 ? block : COLS - 2 - block;  //  back and forth
    const uint m = pair + corner / 2, n = col + (corner + 1) / 2 % 2;  //  around the block
    acc[m * COLS + n] += regM[dot % 2 * ROWS + m] * regN[dot % 2 * COLS + n];
  };

  fetch();
  put();
  wait_copies(0);
  __syncthreads();
  UNROLL for (uint load = 0; load < LOADS; ++load) fragment(0, 0, load);
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
      UNROLL for (uint load = 0; load < LOADS; ++load) {
        UNROLL for (uint i = 0; i < SPACE; ++i) multiply_add(dot, load * SPACE + i);
        fragment((dot + 1) % 2, (dot + 1) % BK, load);
      }
      UNROLL for (uint i = LOADS * SPACE; i < ROWS * COLS; ++i) multiply_add(dot, i);
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
