// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T10: persistent kernel. As many blocks start as the GPU has SMs, and
// each block computes several tiles of C. Until now the tensor core of an SM
// was idle whenever a block ended: while the block stored its C, while the
// next one started, and while its first TMA loads were in flight. Here the
// producer does not wait for the consumers' store: it continues with the next
// tile, and when the consumers return the stages are full.

// So the epilogue cannot use the stages any more. It has shared memory of its
// own, in which each warp rearranges 16 rows.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"
#include "kernels/device/roles.cuh"

BOXES(persistent, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

ROLES_KERNEL(persistent, (CONSUMERS + 1) * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B,                   //  A: M x K, B: K x N, row-major
 gmem<element> C) {                                            //  C: M x N
  CONSTANT uint PANEL = SWIZZLE / 2;                           //  elements across a panel
  CONSTANT uint ROWS = BM / CONSUMERS, DOWN = ROWS / 64;       //  of C that a warpgroup owns; 64 at a time
  CONSTANT uint LDC = BN + 8, CHUNKS = BN / 8;                 //  of Cs: each row shifts by 4 banks; 16 bytes each
  SHARED_BOXES_AND(As, STAGES * BM * BK, Bs, STAGES * BK * BN, Cs, CONSUMERS * 64 * LDC);
  BARRIER_PAIRS(full, empty, STAGES);

  const uint group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const uint across = (N + BN - 1) / BN, down = (M + BM - 1) / BM, tiles = across * down;
  const auto rowOf = [&](const uint tile) {                    //  in the order of rung T7, in which
    const uint first = tile / (GROUP * across) * GROUP;        //  a block steps by the number of blocks
    const uint rows = down - first < GROUP ? down - first : GROUP;
    return (first + tile % (GROUP * across) % rows) * BM;
  };
  const auto columnOf = [&](const uint tile) {
    const uint first = tile / (GROUP * across) * GROUP;
    const uint rows = down - first < GROUP ? down - first : GROUP;
    return tile % (GROUP * across) / rows * BN;
  };

  if (threadIdx.x == 0) {
    UNROLL for (uint slot = 0; slot < STAGES; ++slot) {
      start(full + slot, 1);                                   //  the producer
      start(empty + slot, CONSUMERS);                          //  one thread of each warpgroup
    }
    publish_barriers();
  }
  __syncthreads();

  ROLE(producer, group == CONSUMERS) {
    keep_registers(PRODUCER_REGISTERS);
    if (threadIdx.x % 128 == 0) {
      uint slot = 0, parity = 1;                               //  both continue from one tile to the next
      BLOCK_TILES(tile, blockIdx.x, tiles, gridDim.x) {
        const uint row0 = rowOf(tile), col0 = columnOf(tile);
        K_TILES(k0, BK) {
          wait(empty + slot, parity);
          expect(full + slot, (BM + BN) * BK * 2);
          UNROLL for (uint k = 0; k < BK; k += PANEL) {
            load_box(As + (slot * BK + k) * BM, A, k0 + k, row0, full + slot);
          }
          UNROLL for (uint n = 0; n < BN; n += PANEL) {
            load_box(Bs + (slot * BN + n) * BK, B, col0 + n, k0, full + slot);
          }
          slot = slot == STAGES - 1 ? 0 : slot + 1;
          parity ^= slot == 0;
        }
      }
    }
  }
  OTHERS(consumers) {
    take_registers(CONSUMER_REGISTERS);
    uint slot = 0, parity = 0;
    BLOCK_TILES(tile, blockIdx.x, tiles, gridDim.x) {
      REGISTERS(float, acc, DOWN * BN / 2);                    //  BN / 2 per thread for each 64 x BN
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
        wait_products(0);
        if (threadIdx.x % 128 == 0) arrive(empty + slot);      //  this warpgroup has read the stage
        slot = slot == STAGES - 1 ? 0 : slot + 1;
        parity ^= slot == 0;
      }

      const auto mine = Cs + (group * 64 + warp * 16) * LDC;   //  each warp rearranges its own 16 rows
      const auto upper = mine + lane / 4 * LDC + lane % 4 * 2;
      const uint row0 = rowOf(tile) + group * ROWS + warp * 16, col0 = columnOf(tile);
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        meet_warp();                                           //  reads of the previous round are over
        UNROLL for (uint n = 0; n < CHUNKS; ++n) {
          const uint i = m * BN / 2 + n * 4;
          store2(upper + n * 8, pack(acc[i + 0], acc[i + 1]));
          store2(upper + 8 * LDC + n * 8, pack(acc[i + 2], acc[i + 3]));
        }
        meet_warp();
        UNROLL for (uint store = 0; store < CHUNKS / 2; ++store) {
          const uint i = store * 32 + lane, toRow = row0 + m * 64 + i / CHUNKS, toCol = col0 + i % CHUNKS * 8;
          if (toRow < M && toCol < N) store8(C + toRow * N + toCol, load8(mine + i / CHUNKS * LDC + i % CHUNKS * 8));
        }
      }
    }
  }
}
