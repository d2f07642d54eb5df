// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T13: all of Hopper. One wgmma group stays in flight, as in rung T7, so
// that the tensor core is never idle between two K tiles. A finished tile is
// packed into half as many registers and stored panel by panel during the
// first wgmma of the next tile: between two tiles the tensor core waits for
// the packing only. If the last wave of tiles would leave many SMs idle, its
// tiles are split along K among all of them (SPLIT).

// The pipeline is an unrolled loop, in which mbarriers, addresses and
// descriptors of a stage are constants. Every other tile runs along K
// backwards, where L2 still holds what was read last.
#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"
#include "kernels/device/roles.cuh"
#include "kernels/device/cluster.cuh"
#include "kernels/device/stored.cuh"
#include "kernels/device/split.cuh"

BOXES(hopper, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK / CLUSTER, SWIZZLE),
      BOX(C, SWIZZLE / 2, 64, SWIZZLE));

SPLIT_KERNEL(hopper, (CONSUMERS + 1) * 128)
(uint M, uint N, uint K, TENSOR A, TENSOR B, TENSOR C,         //  A: M x K, B: K x N, C: M x N, row-major
 gmem<float> left) {                                           //  partial sums, then their flags
  CONSTANT uint PANEL = SWIZZLE / 2;                           //  elements across a panel
  CONSTANT uint ROWS = BM / CONSUMERS, DOWN = ROWS / 64;       //  of C that a warpgroup owns; 64 at a time
  CONSTANT uint SUMS = DOWN * BN / 2, THREADS = CONSUMERS * 128;  //  per thread; of the consumers
  CONSTANT uint CHUNKS = PANEL / 8, MASK = CHUNKS - 1;         //  of 16 bytes in a row; swizzled bits
  CONSTANT uint PANELS = DOWN * BN / PANEL, EACH = (PANELS + STAGES - 1) / STAGES;  //  of a tile; per K tile
  SHARED_BOXES_AND(As, STAGES * BM * BK, Bs, STAGES * BK * BN, Cs, CONSUMERS * 2 * 64 * PANEL);
  BARRIER_PAIRS(full, empty, STAGES);

  const uint group = uniform(threadIdx.x / 128), warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const uint rank = blockIdx.x % CLUSTER;                      //  of this block in its cluster
  const uint across = (N + BN - 1) / BN;                       //  tiles of C; of CLUSTER * BM rows each
  const uint down = (M + CLUSTER * BM - 1) / (CLUSTER * BM);
  const uint rounds = (K + STAGES * BK - 1) / (STAGES * BK);   //  of the pipeline, along K
  const uint cluster = blockIdx.x / CLUSTER, clusters = gridDim.x / CLUSTER;
  const pieces all(across * down, rounds, cluster, clusters, SPLIT);
  const auto rowOf = [&](const uint tile) {                    //  in the order of rung T7; all strips but
    const uint first = tile / (GROUP * across) * GROUP;        //  the last one divide by a constant, which
    const uint at = tile - first * across, rows = down - first;  //  is ten times as fast
    return ((first + (rows < GROUP ? at % rows : at % GROUP)) * CLUSTER + rank) * BM;
  };
  const auto columnOf = [&](const uint tile) {
    const uint first = tile / (GROUP * across) * GROUP;
    const uint at = tile - first * across, rows = down - first;
    return (rows < GROUP ? at / rows : at / GROUP) * BN;
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
      uint parity = 1;
      for (piece at = first_piece(all); at.first < at.end; at = next_piece(all, at)) {
        const uint row0 = rowOf(at.tile), col0 = columnOf(at.tile);
        ROUNDS(round, at) {
          ROLLED_ROUND_TILES(slot, k0, round) {
            const uint kk = backwards(at) ? (at.first + at.end) * STAGES * BK - BK - k0 : k0;
            wait(empty + slot, parity);
            expect(full + slot, (BM + BN) * BK * 2);
            UNROLL for (uint k = 0; k < BK; k += PANEL) {
              load_box(As + (slot * BK + k) * BM, A, kk + k, row0, full + slot);
            }
            CONSTANT uint PART = BK / CLUSTER;                 //  rows of B that each block multicasts
            UNROLL for (uint n = 0; n < BN; n += PANEL) {
              load_box_to((1 << CLUSTER) - 1, Bs + (slot * BN + n) * BK + rank * PART * PANEL, B, col0 + n,
                          kk + rank * PART, full + slot);
            }
          }
          parity ^= 1;
        }
      }
    }
  }
  OTHERS(consumers) {
    take_registers(CONSUMER_REGISTERS);
    REGISTERS(float, acc, SUMS);                               //  BN / 2 per thread for each 64 x BN
    FRAGMENTS(done, SUMS / 2);                                 //  a finished tile, two values in a register,
    uint toRow = 0, toCol = 0, held = 0;                       //  its place in C, and whether there is one
    uint parity = 0;
    const auto a = operand(As + group * ROWS * PANEL, 16, 8 * SWIZZLE, SWIZZLE);  //  of the first stage
    const auto b = operand(Bs, BK * SWIZZLE, 8 * SWIZZLE, SWIZZLE);
    const uint row = warp * 16 + lane % 16;                    //  of the matrices that this lane names
    const auto store_panel = [&](const uint panel) {           //  64 rows of PANEL columns
      const auto to = Cs + (group * 2 + panel % 2) * 64 * PANEL;
      if (threadIdx.x % 128 == 0) wait_boxes(1);               //  the panel before the last has been read
      meet_group();
      UNROLL for (uint n = 0; n < PANEL; n += 16) {
        const uint chunk = row * CHUNKS + n / 8 + lane / 16;
        store_matrices(to + (chunk ^ (chunk / 8 & MASK)) * 8, done + (panel * PANEL + n) / 4);
      }
      fence_async();
      meet_group();
      if (threadIdx.x % 128 == 0) {
        store_box(C, toCol + panel * PANEL % BN, toRow + panel * PANEL / BN * 64, to);
        commit_boxes();
      }
    };
    const auto leave = [&](const uint slot) {                  //  all blocks of the cluster multicast to it
      if (threadIdx.x % 128 < CLUSTER) arrive_at(empty + slot, threadIdx.x % 128);
    };

    piece next;
    for (piece at = first_piece(all); at.first < at.end; at = next) {
      ROUNDS(round, at) {
        ROUND_TILES(slot, k0, round) {
          wait(full + slot, parity);
          fence_products();
          MMA_STEPS(k, BK) {
            UNROLL for (uint m = 0; m < DOWN; ++m) {
              const uint first = slot * BM * BK + (k / PANEL * BM + m * 64) * PANEL + k % PANEL;
              multiply_group(acc + m * BN / 2, BN, further(a, first), further(b, slot * BK * BN + k * PANEL),
                             slot != 0 || k != 0 || round != at.first);
            }
          }
          commit_products();
          if (slot != 0 || round != at.first) {
            wait_products(1);                                  //  the wgmma of the previous K tile
            leave(slot == 0 ? STAGES - 1 : slot - 1);
          }
          if (round == at.first && held) {
            UNROLL for (uint i = 0; i < EACH; ++i) {
              if (slot * EACH + i < PANELS) store_panel(slot * EACH + i);
            }
          }
        }
        parity ^= 1;
      }
      toRow = rowOf(at.tile) + group * ROWS;                   //  while the last wgmma are in flight
      toCol = columnOf(at.tile);
      next = next_piece(all, at);
      held = at.first == 0;                                    //  the block with the first K tile stores
      wait_products(0);
      leave(STAGES - 1);
      const auto place = [&](const uint its) { return (its * CLUSTER + rank) * CONSUMERS + group; };
      const auto flags = left + clusters * CLUSTER * THREADS * SUMS;
      if (!held) {
        leave_sums(left + place(cluster) * 128 * SUMS + threadIdx.x % 128 * 4, acc, SUMS);
        meet_group();
        if (threadIdx.x % 128 == 0) tell(flags + place(cluster));
      } else {
        for (uint other = cluster + 1; at.end < rounds && all.share(at, other); ++other) {
          if (threadIdx.x % 128 == 0) await(flags + place(other));
          meet_group();
          add_sums(acc, left + place(other) * 128 * SUMS + threadIdx.x % 128 * 4, SUMS);
        }
        UNROLL for (uint i = 0; i < SUMS / 2; ++i) pack_to(done + i, acc[2 * i], acc[2 * i + 1]);
      }
    }
    if (held) {
      UNROLL for (uint panel = 0; panel < PANELS; ++panel) store_panel(panel);
    }
    if (threadIdx.x % 128 == 0) wait_boxes(0);                 //  shared memory ends with the block
  }
  meet_cluster();                                              //  no block ends while others access it
}
