// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T9: register reallocation. Two consumer warpgroups share each tile of
// B, so that one load from L2 serves twice as many wgmma. While one warpgroup
// waits for its wgmma, the tensor core executes those of the other. The limit
// is registers: all threads of a block start with the same number, and the
// producer needs few. So the producer is a warpgroup of its own, in which one
// thread works: it releases registers (setmaxnreg.dec), and the consumers take
// them (setmaxnreg.inc).

// A tile of 256 x 192 has 192 accumulators per thread, more than an equal
// share of the register file.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"
#include "kernels/device/roles.cuh"

BOXES(consumers, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

ROLES_KERNEL(consumers, (CONSUMERS + 1) * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B,                   //  A: M x K, B: K x N, row-major
 gmem<element> C) {                                            //  C: M x N
  SHARED_BOXES(As, STAGES * BM * BK, Bs, STAGES * BK * BN);    //  STAGES tiles, each in panels
  BARRIER_PAIRS(full, empty, STAGES);
  CONSTANT uint PANEL = SWIZZLE / 2;                           //  elements across a panel
  CONSTANT uint ROWS = BM / CONSUMERS, DOWN = ROWS / 64;       //  of C that a warpgroup owns; 64 at a time

  const uint group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const uint number = blockIdx.y * gridDim.x + blockIdx.x;     //  in the order in which blocks start
  const uint firstRow = number / (GROUP * gridDim.x) * GROUP;  //  of the group's rows of tiles
  const uint rows = gridDim.y - firstRow < GROUP ? gridDim.y - firstRow : GROUP;
  const uint row0 = (firstRow + number % (GROUP * gridDim.x) % rows) * BM;  //  of the block tile
  const uint col0 = number % (GROUP * gridDim.x) / rows * BN;

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
      uint slot = 0, parity = 1;                               //  at first all stages count as empty
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
  OTHERS(consumers) {
    take_registers(CONSUMER_REGISTERS);
    REGISTERS(float, acc, DOWN * BN / 2);                      //  BN / 2 per thread for each 64 x BN
    uint slot = 0, parity = 0;
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
      if (threadIdx.x % 128 == 0) arrive(empty + slot);        //  this warpgroup has read the stage
      slot = slot == STAGES - 1 ? 0 : slot + 1;
      parity ^= slot == 0;
    }

    CONSTANT uint LDC = BN + 8;                                //  padded: each row shifts by 4 banks
    CONSTANT uint CHUNKS = BN / 8;                             //  16 bytes each, across the block tile
    UNROLL for (uint m = 0; m < DOWN; ++m) {                   //  64 rows of every warpgroup's tile
      meet(1, CONSUMERS * 128);                                //  reads of the previous round are over
      const auto upper = Bs + (group * 64 + warp * 16 + lane / 4) * LDC + lane % 4 * 2;
      UNROLL for (uint n = 0; n < CHUNKS; ++n) {
        const uint i = m * BN / 2 + n * 4;
        store2(upper + n * 8, pack(acc[i + 0], acc[i + 1]));
        store2(upper + 8 * LDC + n * 8, pack(acc[i + 2], acc[i + 3]));
      }
      meet(1, CONSUMERS * 128);
      UNROLL for (uint store = 0; store < CHUNKS / 2; ++store) {
        const uint i = store * CONSUMERS * 128 + threadIdx.x, row = i / CHUNKS, col = i % CHUNKS * 8;
        const uint toRow = row0 + row / 64 * ROWS + m * 64 + row % 64, toCol = col0 + col;
        if (toRow < M && toCol < N) store8(C + toRow * N + toCol, load8(Bs + row * LDC + col));
      }
    }
  }
}
