// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T12: TMA stores. Until now the warps that multiply also stored C: 16
// bytes per thread and instruction, with the addresses and the comparisons
// that keep them inside C, and no wgmma was in flight in that time. Here a
// warp writes its accumulators to shared memory four matrices at a time
// (stmatrix: 64 instructions become 16), in the swizzled rows of a TMA box,
// and one thread issues the TMA stores. The warps continue with the next tile,
// and C is stored during the first wgmma of that tile.

// TMA does not store what is outside C.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/cluster.cuh"
#include "kernels/device/stored.cuh"

BOXES(stored, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK / CLUSTER, SWIZZLE),
      BOX(C, SWIZZLE / 2, 64, SWIZZLE));

STORED_KERNEL(stored, (CONSUMERS + 1) * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B,                   //  A: M x K, B: K x N, row-major
 TENSOR C) {                                                   //  C: M x N
  CONSTANT uint PANEL = SWIZZLE / 2;                           //  elements across a panel
  CONSTANT uint ROWS = BM / CONSUMERS, DOWN = ROWS / 64;       //  of C that a warpgroup owns; 64 at a time
  CONSTANT uint CHUNKS = PANEL / 8, MASK = CHUNKS - 1;         //  of 16 bytes in a row; swizzled bits
  SHARED_BOXES_AND(As, STAGES * BM * BK, Bs, STAGES * BK * BN, Cs, CONSUMERS * 64 * BN);
  BARRIER_PAIRS(full, empty, STAGES);

  const uint group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const uint rank = blockIdx.x % CLUSTER;                      //  of this block in its cluster
  const uint across = (N + BN - 1) / BN;                       //  tiles of C; of CLUSTER * BM rows each
  const uint down = (M + CLUSTER * BM - 1) / (CLUSTER * BM), tiles = across * down;
  const auto rowOf = [&](const uint tile) {                    //  in the order of rung T7, in which
    const uint first = tile / (GROUP * across) * GROUP;        //  a cluster steps by the number of clusters
    const uint rows = down - first < GROUP ? down - first : GROUP;
    return ((first + tile % (GROUP * across) % rows) * CLUSTER + rank) * BM;
  };
  const auto columnOf = [&](const uint tile) {
    const uint first = tile / (GROUP * across) * GROUP;
    const uint rows = down - first < GROUP ? down - first : GROUP;
    return tile % (GROUP * across) / rows * BN;
  };

  if (threadIdx.x == 0) {
    UNROLL for (uint slot = 0; slot < STAGES; ++slot) {
      start(full + slot, 1);                                   //  the producer
      start(empty + slot, CONSUMERS * CLUSTER);                //  each warpgroup that reads the stage
    }
    publish_barriers();
  }
  meet_cluster();

  ROLE(producer, group == CONSUMERS) {
    keep_registers(PRODUCER_REGISTERS);
    if (threadIdx.x % 128 == 0) {
      uint slot = 0, parity = 1;                               //  both continue from one tile to the next
      BLOCK_TILES(tile, blockIdx.x / CLUSTER, tiles, gridDim.x / CLUSTER) {
        const uint row0 = rowOf(tile), col0 = columnOf(tile);
        K_TILES(k0, BK) {
          wait(empty + slot, parity);
          expect(full + slot, (BM + BN) * BK * 2);
          UNROLL for (uint k = 0; k < BK; k += PANEL) {
            load_box(As + (slot * BK + k) * BM, A, k0 + k, row0, full + slot);
          }
          CONSTANT uint PART = BK / CLUSTER;                   //  rows of B that each block multicasts
          UNROLL for (uint n = 0; n < BN; n += PANEL) {
            load_box_to((1 << CLUSTER) - 1, Bs + (slot * BN + n) * BK + rank * PART * PANEL, B, col0 + n,
                        k0 + rank * PART, full + slot);
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
    BLOCK_TILES(tile, blockIdx.x / CLUSTER, tiles, gridDim.x / CLUSTER) {
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
        if (threadIdx.x % 128 < CLUSTER) arrive_at(empty + slot, threadIdx.x % 128);
        slot = slot == STAGES - 1 ? 0 : slot + 1;
        parity ^= slot == 0;
      }

      const auto mine = Cs + group * 64 * BN;                  //  the warpgroup's 64 rows, in panels
      const uint row = warp * 16 + lane % 16;                  //  of the matrices that this lane names
      const uint row0 = rowOf(tile) + group * ROWS, col0 = columnOf(tile);
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        if (threadIdx.x % 128 == 0) wait_boxes(0);             //  reads of the previous round are over
        meet_group();
        UNROLL for (uint n = 0; n < BN; n += 16) {
          const uint i = m * BN / 2 + n / 2, chunk = row * CHUNKS + n % PANEL / 8 + lane / 16;
          FRAGMENTS(c, 4);                                     //  8 rows, 8 more, then the next 8 columns
          UNROLL for (uint part = 0; part < 4; ++part) pack_to(c + part, acc[i + 2 * part], acc[i + 2 * part + 1]);
          store_matrices(mine + n / PANEL * 64 * PANEL + (chunk ^ (chunk / 8 & MASK)) * 8, c);
        }
        fence_async();
        meet_group();
        if (threadIdx.x % 128 == 0) {
          UNROLL for (uint n = 0; n < BN; n += PANEL) store_box(C, col0 + n, row0 + m * 64, mine + n * 64);
          commit_boxes();
        }
      }
    }
    if (threadIdx.x % 128 == 0) wait_boxes(0);                 //  shared memory ends with the block
  }
  meet_cluster();                                              //  no block ends while others access it
}
