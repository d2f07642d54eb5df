// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T4: TMA loads. In rung T2 every thread computes addresses, loads, and
// stores. Here one thread issues TMA loads: a tensor map describes once how A
// and B lie in global memory, and TMA loads a box of SWIZZLE bytes by BM or BK
// rows, swizzles its chunks as rung T2 does, and fills what is outside the
// matrix with zeros, so that no buffer needs padding. No thread spends a
// register or an instruction on moving the data.

// An mbarrier counts the bytes that arrive, and all threads wait at it. Its
// phases end one after another, so that one mbarrier serves all K tiles: a
// thread waits for phase 0, 1, 0, 1, … by its phase parity. TMA accesses
// shared memory through another proxy than threads do; a proxy fence orders
// their loads before TMA overwrites what they read. Still slow: as in rung T2,
// the tensor cores wait while the TMA loads are in flight, and mma.sync takes
// its operands through registers.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"

BOXES(tma, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

TENSOR_KERNEL(tma, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, TENSOR A, TENSOR B,                   //  A: M x K, B: K x N, row-major
 gmem<element> C) {                                            //  C: M x N
  SHARED_BOXES(As, BM * BK, Bs, BK * BN);                      //  in panels, one after another
  BARRIERS(full, 1);
  CONSTANT uint PANEL = SWIZZLE / 2, CHUNKS = PANEL / 8;       //  elements and chunks across a panel
  CONSTANT uint DOWN = WM / 16, ACROSS = WN / 8;               //  mma.sync tiles of a warp tile

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);  //  in the block tile
  const uint row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;   //  of the block tile

  REGISTERS(float, acc, DOWN * ACROSS * 4);                    //  4 accumulators of each 16 x 8
  FRAGMENTS(a, DOWN * 4);                                      //  8 elements of each 16 x 16 of A
  FRAGMENTS(b, ACROSS * 2);                                    //  4 elements of each 16 x 8 of B

  const auto turned = [&](const uint row, const uint chunk) {  //  8 chunks make a line of 128 bytes
    return (chunk ^ (row * CHUNKS / 8 % CHUNKS)) * 8;
  };

  if (threadIdx.x == 0) {
    start(full, 1);                                            //  one arrival, and the bytes that it expects
    publish_barriers();
  }
  __syncthreads();
  uint parity = 0;
  K_TILES(k0, BK) {
    if (threadIdx.x == 0) {
      expect(full, (BM + BN) * BK * 2);
      UNROLL for (uint k = 0; k < BK; k += PANEL) load_box(As + k * BM, A, k0 + k, row0, full);
      UNROLL for (uint n = 0; n < BN; n += PANEL) load_box(Bs + n * BK, B, col0 + n, k0, full);
    }
    wait(full, parity);
    parity ^= 1;
    MMA_STEPS(k, BK) {
      UNROLL for (uint m = 0; m < DOWN; ++m) {                 //  8 rows, 8 more, then the next 8 columns
        const uint row = warpRow * WM + m * 16 + lane % 16;
        load_matrices(a + m * 4, As + (k / PANEL * BM + row) * PANEL +
                                     turned(row, k % PANEL / 8 + lane / 16));
      }
      UNROLL for (uint n = 0; n < ACROSS; n += 2) {            //  two tiles of B with one ldmatrix
        const uint col = warpCol * WN + n * 8, row = k + lane % 16;
        load_matrices_turned(b + n * 2, Bs + (col / PANEL * BK + row) * PANEL +
                                            turned(row, col % PANEL / 8 + lane / 16));
      }
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        UNROLL for (uint n = 0; n < ACROSS; ++n) {
          multiply_add(acc + (m * ACROSS + n) * 4, a + m * 4, b + n * 2);
        }
      }
    }
    fence_async();                                             //  orders these loads before the next TMA load
    __syncthreads();                                           //  all warps have read this K tile
  }

  UNROLL for (uint m = 0; m < DOWN; ++m) {
    const uint row = row0 + warpRow * WM + m * 16 + lane / 4;
    UNROLL for (uint n = 0; n < ACROSS; ++n) {
      const uint i = (m * ACROSS + n) * 4, col = col0 + warpCol * WN + n * 8 + lane % 4 * 2;
      if (row < M && col < N) store2(C + row * N + col, pack(acc[i + 0], acc[i + 1]));
      if (row + 8 < M && col < N) store2(C + (row + 8) * N + col, pack(acc[i + 2], acc[i + 3]));
    }
  }
}
