// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T5: warpgroup MMA. mma.sync takes both operands from registers, so that
// ldmatrix must load each of them first, and it reaches less than two thirds
// of what Hopper's tensor cores can do. wgmma takes 64-bit descriptors that
// say where its operands are, and the tensor core reads shared memory itself:
// 64 rows of A times BN columns of B, 16 elements of K at a time, for the four
// warps of a warpgroup. B is read once for 64 rows instead of once for 16, and
// fragments need no registers, which leaves these to the accumulators.

// The warps issue wgmma and wait only when they need its result. CONSUMERS
// warpgroups share the tile of B. Still slow: the tensor core waits while a
// TMA load is in flight, and TMA waits while the tensor core multiplies.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"

BOXES(wgmma, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

TENSOR_KERNEL(wgmma, CONSUMERS * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B,                   //  A: M x K, B: K x N, row-major
 gmem<element> C) {                                            //  C: M x N
  SHARED_BOXES(As, BM * BK, Bs, BK * BN);                      //  in panels, one after another
  BARRIERS(full, 1);
  CONSTANT uint PANEL = SWIZZLE / 2;                           //  elements across a panel
  CONSTANT uint ROWS = BM / CONSUMERS, DOWN = ROWS / 64;       //  of C that a warpgroup owns; 64 at a time

  const uint group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const uint row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;   //  of the block tile

  REGISTERS(float, acc, DOWN * BN / 2);                        //  BN / 2 per thread for each 64 x BN

  if (threadIdx.x == 0) {
    start(full, 1);
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
    fence_products();
    MMA_STEPS(k, BK) {
      const auto b = operand(Bs + k * PANEL, BK * SWIZZLE, 8 * SWIZZLE, SWIZZLE);
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        const auto rows = As + k / PANEL * BM * PANEL + (group * ROWS + m * 64) * PANEL;
        multiply_add_group(acc + m * BN / 2, BN, operand(rows + k % PANEL, 16, 8 * SWIZZLE, SWIZZLE), b);
      }
    }
    commit_products();
    wait_products(0);
    __syncthreads();                                           //  all warps have read this K tile
  }

  UNROLL for (uint m = 0; m < DOWN; ++m) {
    const uint row = row0 + group * ROWS + m * 64 + warp * 16 + lane / 4;
    UNROLL for (uint n = 0; n < BN / 8; ++n) {
      const uint i = m * BN / 2 + n * 4, col = col0 + n * 8 + lane % 4 * 2;
      if (row < M && col < N) store2(C + row * N + col, pack(acc[i + 0], acc[i + 1]));
      if (row + 8 < M && col < N) store2(C + (row + 8) * N + col, pack(acc[i + 2], acc[i + 3]));
    }
  }
}
