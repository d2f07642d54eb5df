// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T1: tensor cores. One instruction of a warp multiplies what the lanes
// of rung 8 multiplied one by one: mma.sync takes 16 x 16 elements of A and 16
// x 8 of B, computes 2,048 products, and adds them to 16 x 8 accumulators,
// four in each lane. Elements are 16-bit numbers (bf16 or fp16); accumulators
// are floats and are rounded once, when C is stored. The hardware fixes which
// lane holds which element, and ldmatrix loads them in this layout.

// ldmatrix reads 8 x 8 matrices from shared memory; a lane gives the address
// of one row of 16 bytes. It transposes those of B, because mma.sync takes B
// by columns. So both tiles have the layout of global memory in shared memory,
// and are copied 16 bytes at a time. Still slow: rows of a tile are multiples
// of 32 bytes long, so that the eight rows of a matrix are in a few banks
// (with BN = 128 all in the same four), and ldmatrix takes up to eight times
// as long as it must. No data is loaded while the tensor cores multiply.
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"

KERNEL16(mma, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, gmem<const element> A,                //  A: M x K, row-major
 gmem<const element> B, gmem<element> C) {                     //  B: K x N, C: M x N
  SHARED16(As, BM * BK, Bs, BK * BN);                          //  both row-major, as in A and in B
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint LOADS_A = BM * BK / 8 / THREADS;               //  16 bytes of A that a thread copies
  CONSTANT uint LOADS_B = BK * BN / 8 / THREADS;
  CONSTANT uint DOWN = WM / 16, ACROSS = WN / 8;               //  mma.sync tiles of a warp tile

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);  //  in the block tile

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;  //  the warp's tile

  REGISTERS(float, acc, DOWN * ACROSS * 4);                    //  4 accumulators of each 16 x 8
  FRAGMENTS(a, DOWN * 4);                                      //  8 elements of each 16 x 16 of A
  FRAGMENTS(b, ACROSS * 2);                                    //  4 elements of each 16 x 8 of B

  K_TILES(k0, BK) {
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint i = (load * THREADS + threadIdx.x) * 8;
      store8(As + i, load8(A + i / BK * K + i % BK));
    }
    UNROLL for (uint load = 0; load < LOADS_B; ++load) {
      const uint i = (load * THREADS + threadIdx.x) * 8;
      store8(Bs + i, load8(B + i / BN * N + i % BN));
    }
    A += BK;
    B += BK * N;
    __syncthreads();
    MMA_STEPS(k, BK) {
      UNROLL for (uint m = 0; m < DOWN; ++m) {                 //  8 rows, 8 more, then the next 8 columns
        const uint row = warpRow * WM + m * 16 + lane % 16;
        load_matrices(a + m * 4, As + row * BK + k + lane / 16 * 8);
      }
      UNROLL for (uint n = 0; n < ACROSS; n += 2) {            //  two tiles of B with one ldmatrix
        const uint col = warpCol * WN + n * 8 + lane / 16 * 8;
        load_matrices_turned(b + n * 2, Bs + (k + lane % 16) * BN + col);
      }
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        UNROLL for (uint n = 0; n < ACROSS; ++n) {
          multiply_add(acc + (m * ACROSS + n) * 4, a + m * 4, b + n * 2);
        }
      }
    }
    __syncthreads();
  }

  UNROLL for (uint m = 0; m < DOWN; ++m) {
    const auto upper = C + (m * 16 + lane / 4) * N + lane % 4 * 2;
    const auto lower = upper + 8 * N;
    UNROLL for (uint n = 0; n < ACROSS; ++n) {
      const uint i = (m * ACROSS + n) * 4;
      store2(upper + n * 8, pack(acc[i + 0], acc[i + 1]));
      store2(lower + n * 8, pack(acc[i + 2], acc[i + 3]));
    }
  }
}
