// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 8: warp tiling. Between the block tile and the thread tile is the unit
// that the hardware schedules, the warp: each warp computes one WM x WN
// rectangle of the block tile, and its 32 lanes cover that rectangle in WMITER
// x WNITER subtiles. A lane loads its fragments for all subtiles first, and
// the FMAs that follow use registers only. Lanes of a warp read neighbouring
// words, so that the loads have no bank conflicts, and all subtiles across use
// the same fragment of A.

// The price is registers, and with them occupancy. Still slow: the stores that
// transpose A have bank conflicts, and filling the tiles does not overlap the
// FMAs.
#include "kernels/device/portable.cuh"

KERNEL(warptiled, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, float alpha, gmem<const float> A,     //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {             //  B: K x N, C: M x N
  SHARED_TILES(As, BK * BM, Bs, BK * BN);                      //  As: BK x BM (transposed), Bs: BK x BN
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint ROWS_A = 4 * THREADS / BK;                     //  rows of A loaded in one pass
  CONSTANT uint ROWS_B = 4 * THREADS / BN;                     //  rows of B loaded in one pass
  CONSTANT uint WMITER = WM * WN / (32 * TM * TN * WNITER);    //  subtiles down the warp tile
  CONSTANT uint WSUBM = WM / WMITER, WSUBN = WN / WNITER;      //  one subtile of the warp tile

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);          //  in the block tile
  const uint threadRow = lane / (WSUBN / TN), threadCol = lane % (WSUBN / TN);  //  in a subtile
  const uint rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4) * 4;
  const uint rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;  //  the warp's tile

  REGISTERS(float, acc, WMITER * TM * WNITER * TN);            //  acc: (WMITER TM) x (WNITER TN)
  REGISTERS(float, regM, WMITER * TM);
  REGISTERS(float, regN, WNITER * TN);
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
      UNROLL for (uint wm = 0; wm < WMITER; ++wm) {
        load_run(regM + wm * TM, As + dot * BM + warpRow * WM + wm * WSUBM + threadRow * TM, TM);
      }
      UNROLL for (uint wn = 0; wn < WNITER; ++wn) {
        load_run(regN + wn * TN, Bs + dot * BN + warpCol * WN + wn * WSUBN + threadCol * TN, TN);
      }
      UNROLL for (uint wm = 0; wm < WMITER; ++wm) {  //  subtile by subtile, registers only
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
