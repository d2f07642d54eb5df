// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T3: multistage pipeline. It does for tensor cores what rungs 10, 12 and
// 13 did for the FMA units. Shared memory holds STAGES K tiles; cp.async fills
// STAGES - 1 of them without registers while one is multiplied. ldmatrix
// prefetches one step of 16 elements of K into a second set of fragments, also
// across the border of a K tile: the barrier after which the next tile may be
// read is before a tile's last step.

// The copies are issued between the mma.sync instructions, so that neither
// waits for the issue of the other. C is stored through shared memory in whole
// rows of the block tile, because a lane's own part of it is half a sector.
// Blocks are numbered down GROUP rows of tiles, so that blocks that run at the
// same time share what L2 holds. This is all that Ampere offers. Still slow on
// Hopper: mma.sync takes all operands through registers, and reaches about two
// thirds of what Hopper's tensor cores can do.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"

KERNEL16(mmaring, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, gmem<const element> A,                //  A: M x K, row-major
 gmem<const element> B, gmem<element> C) {                     //  B: K x N, C: M x N
  SHARED16(As, STAGES * BM * BK, Bs, STAGES * BK * BN);        //  STAGES tiles, each in panels
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint COPIES_A = BM * BK / 8 / THREADS;              //  16 bytes of A that a thread copies
  CONSTANT uint COPIES_B = BK * BN / 8 / THREADS;
  CONSTANT uint PANEL = SWIZZLE / 2, CHUNKS = PANEL / 8;       //  elements and chunks across a panel
  CONSTANT uint ROWS = THREADS / CHUNKS;                       //  of panels copied in one pass
  CONSTANT uint DOWN = WM / 16, ACROSS = WN / 8;               //  mma.sync tiles of a warp tile

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);  //  in the block tile

  const uint number = blockIdx.y * gridDim.x + blockIdx.x;     //  in the order in which blocks start
  const uint firstRow = number / (GROUP * gridDim.x) * GROUP;  //  of the group's rows of tiles
  const uint rows = gridDim.y - firstRow < GROUP ? gridDim.y - firstRow : GROUP;
  const uint tileRow = firstRow + number % (GROUP * gridDim.x) % rows;
  const uint tileCol = number % (GROUP * gridDim.x) / rows;
  const uint first = threadIdx.x / CHUNKS, mine = threadIdx.x % CHUNKS;  //  row and chunk of the first copy
  A += (tileRow * BM + first % BM) * K + first / BM * PANEL + mine * 8;
  B += first % BK * N + tileCol * BN + first / BK * PANEL + mine * 8;
  C += tileRow * BM * N + tileCol * BN;

  REGISTERS(float, acc, DOWN * ACROSS * 4);                    //  4 accumulators of each 16 x 8
  FRAGMENTS(a, 2 * DOWN * 4);                                  //  two sets of fragments
  FRAGMENTS(b, 2 * ACROSS * 2);

  const auto turned = [&](const uint row, const uint chunk) {  //  8 chunks make a line of 128 bytes
    return (chunk ^ (row * CHUNKS / 8 % CHUNKS)) * 8;
  };
  const auto toA = As + first * PANEL + turned(first, mine);   //  rows continue over all panels
  const auto toB = Bs + first * PANEL + turned(first, mine);
  const auto fromA = As + (warpRow * WM + lane % 16) * PANEL;
  const auto fromB = Bs + lane % 16 * PANEL;

  const auto copy = [&](const uint slot) {                     //  issues the loads of the next K tile
    UNROLL for (uint load = 0; load < COPIES_A; ++load) {
      const uint down = load * ROWS % BM, right = load * ROWS / BM * PANEL;
      copy_async8(toA + slot * BM * BK + load * ROWS * PANEL, A + down * K + right);
    }
    UNROLL for (uint load = 0; load < COPIES_B; ++load) {
      const uint down = load * ROWS % BK, right = load * ROWS / BK * PANEL;
      copy_async8(toB + slot * BK * BN + load * ROWS * PANEL, B + down * N + right);
    }
    A += BK;
    B += BK * N;
  };
  const auto fragments = [&](const uint slot, const uint set, const uint k) {
    UNROLL for (uint m = 0; m < DOWN; ++m) {                   //  8 rows, 8 more, then the next 8 columns
      load_matrices(a + (set * DOWN + m) * 4,
                    fromA + slot * BM * BK + (k / PANEL * BM + m * 16) * PANEL +
                        turned(lane % 16, k % PANEL / 8 + lane / 16));
    }
    UNROLL for (uint n = 0; n < ACROSS; n += 2) {              //  two tiles of B with one ldmatrix
      const uint col = warpCol * WN + n * 8;
      load_matrices_turned(b + (set * ACROSS + n) * 2,
                           fromB + slot * BK * BN + (col / PANEL * BK + k) * PANEL +
                               turned(lane % 16, col % PANEL / 8 + lane / 16));
    }
  };

  UNROLL for (uint stage = 0; stage < STAGES - 1; ++stage) {
    if (HAS_K(stage * BK)) copy(stage);
    commit_copies();                                           //  empty groups count, too
  }
  wait_copies(STAGES - 2);
  __syncthreads();
  fragments(0, 0, 0);
  uint slot = 0, free = STAGES - 1;                            //  read now, filled next
  K_TILES(k0, BK) {
    MMA_STEPS(k, BK) {
      if (k == BK - 16) {                                      //  the next K tile is needed
        wait_copies(STAGES - 2);
        __syncthreads();                                       //  for all warps, and all have read this one
        if (HAS_K(k0 + BK)) slot = slot == STAGES - 1 ? 0 : slot + 1;  //  else the fragments are not used
      }
      fragments(slot, (k / 16 + 1) % 2, (k + 16) % BK);
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        if (k == 0 && m == DOWN / 2) {
          if (HAS_K(k0 + (STAGES - 1) * BK)) copy(free);
          commit_copies();
          free = slot;
        }
        UNROLL for (uint i = 0; i < ACROSS; ++i) {
          const uint n = m % 2 == 0 ? i : ACROSS - 1 - i;      //  back and forth
          multiply_add(acc + (m * ACROSS + n) * 4, a + (k / 16 % 2 * DOWN + m) * 4,
                       b + (k / 16 % 2 * ACROSS + n) * 2);
        }
      }
    }
  }

  CONSTANT uint STORES = WN / 16;                              //  16-byte stores of a thread per round
  CONSTANT uint LDC = BN + 8;                                  //  padded: each row shifts by 4 banks
  UNROLL for (uint m = 0; m < DOWN; ++m) {                     //  16 rows of every warp's tile
    __syncthreads();                                           //  reads of the previous round are over
    const auto upper = Bs + (warpRow * 16 + lane / 4) * LDC + warpCol * WN + lane % 4 * 2;
    const auto lower = upper + 8 * LDC;
    UNROLL for (uint n = 0; n < ACROSS; ++n) {
      const uint i = (m * ACROSS + n) * 4;
      store2(upper + n * 8, pack(acc[i + 0], acc[i + 1]));
      store2(lower + n * 8, pack(acc[i + 2], acc[i + 3]));
    }
    __syncthreads();
    UNROLL for (uint store = 0; store < STORES; ++store) {
      const uint i = store * THREADS + threadIdx.x, row = i / (BN / 8), col = i % (BN / 8) * 8;
      store8(C + (row / 16 * WM + m * 16 + row % 16) * N + col, load8(Bs + row * LDC + col));
    }
  }
}
