// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 9: padded shared memory. Rung 8 stores A transposed, and lanes that
// hold different columns of A write to one bank, because their rows of As are
// BM words apart, a multiple of 32. PAD padding words at the end of each row
// of As shift every next row by PAD banks. For four words to be enough, lanes
// are mapped differently: two neighbours load the two halves of one 32-byte
// sector, sixteen rows per warp, so that their stores are 4·PAD = 16 banks
// apart and use each of the 32 banks once.

// The loads run along a row; they keep their order and have no conflicts. The
// price is PAD·BK words. Still slow: the FMAs of one k wait for its fragments,
// and the whole block waits for each K tile.
#include "kernels/device/portable.cuh"

KERNEL(padded, (BM / WM) * (BN / WN) * 32)
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
  REGISTERS(float, regM, WMITER * TM);
  REGISTERS(float, regN, WNITER * TN);
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

    DOTS(dot, BK) {
      UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
        load_run(regM + wm * TM, As + dot * LDA + warpRow * WM + wm * WSUBM + threadRow * TM, TM);
      }
      UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
        load_run(regN + wn * TN, Bs + dot * BN + warpCol * WN + wn * WSUBN + threadCol * TN, TN);
      }
      UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
        UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
          UNROLL for (uint m = 0; m < TM; ++m) {
            UNROLL for (uint n = 0; n < TN; ++n) {
              acc[(wm * TM + m) * (WNITER * TN) + wn * TN + n] += regM[wm * TM + m] * regN[wn * TN + n];
            }
          }
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
