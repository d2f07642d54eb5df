// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T7: wgmma in flight. In rung T6 the tensor core is idle while its warps
// wait for it, meet at a barrier, issue a TMA load, and find the next tile.
// Here the wgmma of the next K tile are issued before the wait for those of
// the previous one: one wgmma group is always in flight. When the wait ends,
// the tensor core is already at work, and what follows costs no time: the
// stage that was read before is free, and one thread issues the TMA load of
// the next K tile into it. STAGES - 1 K tiles are in flight.

// Nothing else has changed. Warps are not specialised: all of them multiply,
// one thread issues the TMA loads as well, and each warp waits at fixed places
// in the source.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"

BOXES(overlapped, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

TENSOR_KERNEL(overlapped, CONSUMERS * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B,                   //  A: M x K, B: K x N, row-major
 gmem<element> C) {                                            //  C: M x N
  SHARED_BOXES(As, STAGES * BM * BK, Bs, STAGES * BK * BN);    //  STAGES tiles, each in panels
  BARRIERS(full, STAGES);
  CONSTANT uint PANEL = SWIZZLE / 2;                           //  elements across a panel
  CONSTANT uint ROWS = BM / CONSUMERS, DOWN = ROWS / 64;       //  of C that a warpgroup owns; 64 at a time

  const uint group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const uint number = blockIdx.y * gridDim.x + blockIdx.x;     //  in the order in which blocks start
  const uint firstRow = number / (GROUP * gridDim.x) * GROUP;  //  of the group's rows of tiles
  const uint rows = gridDim.y - firstRow < GROUP ? gridDim.y - firstRow : GROUP;
  const uint row0 = (firstRow + number % (GROUP * gridDim.x) % rows) * BM;  //  of the block tile
  const uint col0 = number % (GROUP * gridDim.x) / rows * BN;

  REGISTERS(float, acc, DOWN * BN / 2);                        //  BN / 2 per thread for each 64 x BN

  const auto fill = [&](const uint slot, const uint k0) {      //  issues the TMA loads of the K tile at k0
    expect(full + slot, (BM + BN) * BK * 2);
    UNROLL for (uint k = 0; k < BK; k += PANEL) {
      load_box(As + (slot * BK + k) * BM, A, k0 + k, row0, full + slot);
    }
    UNROLL for (uint n = 0; n < BN; n += PANEL) {
      load_box(Bs + (slot * BN + n) * BK, B, col0 + n, k0, full + slot);
    }
  };

  if (threadIdx.x == 0) {
    UNROLL for (uint slot = 0; slot < STAGES; ++slot) start(full + slot, 1);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    UNROLL for (uint slot = 0; slot < STAGES; ++slot) {
      if (HAS_K(slot * BK)) fill(slot, slot * BK);
    }
  }
  uint slot = 0, parity = 0, before = STAGES - 1;              //  the stage of the previous K tile
  K_TILES(k0, BK) {
    wait(full + slot, parity);
    fence_products();
    MMA_STEPS(k, BK) {
      const auto b = operand(Bs + slot * BK * BN + k * PANEL, BK * SWIZZLE, 8 * SWIZZLE, SWIZZLE);
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        const auto first = As + slot * BM * BK + (k / PANEL * BM + group * ROWS + m * 64) * PANEL;
        multiply_add_group(acc + m * BN / 2, BN, operand(first + k % PANEL, 16, 8 * SWIZZLE, SWIZZLE), b);
      }
    }
    commit_products();
    wait_products(1);                                          //  for the wgmma of the previous K tile
    __syncthreads();                                           //  all have read the previous stage
    if (threadIdx.x == 0 && k0 != 0 && HAS_K(k0 + (STAGES - 1) * BK)) fill(before, k0 + (STAGES - 1) * BK);
    before = slot;
    slot = slot == STAGES - 1 ? 0 : slot + 1;
    parity ^= slot == 0;
  }
  wait_products(0);

  CONSTANT uint LDC = BN + 8;                                  //  padded: each row shifts by 4 banks
  CONSTANT uint CHUNKS = BN / 8;                               //  16 bytes each, across the block tile
  UNROLL for (uint m = 0; m < DOWN; ++m) {                     //  64 rows of every warpgroup's tile
    __syncthreads();                                           //  reads of the previous round are over
    const auto upper = Bs + (group * 64 + warp * 16 + lane / 4) * LDC + lane % 4 * 2;
    UNROLL for (uint n = 0; n < CHUNKS; ++n) {
      const uint i = m * BN / 2 + n * 4;
      store2(upper + n * 8, pack(acc[i + 0], acc[i + 1]));
      store2(upper + 8 * LDC + n * 8, pack(acc[i + 2], acc[i + 3]));
    }
    __syncthreads();
    UNROLL for (uint store = 0; store < CHUNKS / 2; ++store) {
      const uint i = store * CONSUMERS * 128 + threadIdx.x, row = i / CHUNKS, col = i % CHUNKS * 8;
      const uint toRow = row0 + row / 64 * ROWS + m * 64 + row % 64, toCol = col0 + col;
      if (toRow < M && toCol < N) store8(C + toRow * N + toCol, load8(Bs + row * LDC + col));
    }
  }
}
