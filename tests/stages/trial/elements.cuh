// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T1 for elements of 4, 8 or 32 bits. ldmatrix transposes 16-bit elements only, so a lane gathers its elements of
// B word by word. JOINED products have their columns in an order in which a lane's sums are neighbours: four, and eight
// of 4 bits. WN is a multiple of 8 JOINED.
#include "kernels/device/portable.cuh"
#include "kernels/device/elements.cuh"

ELEMENT_KERNEL(trial, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, emem<const element> A, emem<const element> B, emem<element> C) {
  ELEMENT_TILES(As, BM * BK, Bs, BK * BN);
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint LOADS_A = BM * BK / CHUNK / THREADS, LOADS_B = BK * BN / CHUNK / THREADS;
  CONSTANT uint DOWN = WM / 16, ACROSS = WN / 8;

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;

  REGISTERS(float, acc, DOWN * ACROSS * 4);
  FRAGMENTS(a, DOWN * 4);
  FRAGMENTS(b, ACROSS * 2);
  FRAGMENTS(rows, PARTS);

  K_TILES(k0, BK) {
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {
      const uint i = (load * THREADS + threadIdx.x) * CHUNK;
      store_chunk(As + i, load_chunk(A + i / BK * K + i % BK));
    }
    UNROLL for (uint load = 0; load < LOADS_B; ++load) {
      const uint i = (load * THREADS + threadIdx.x) * CHUNK;
      store_chunk(Bs + i, load_chunk(B + i / BN * N + i % BN));
    }
    A += BK;
    B += BK * N;
    __syncthreads();
    DEPTH_STEPS(k, BK) {
      UNROLL for (uint m = 0; m < DOWN; ++m) {
        load_matrices(a + m * 4, As + (warpRow * WM + m * 16 + lane % 16) * BK + k + lane / 16 * CHUNK);
      }
      UNROLL for (uint n = 0; n < ACROSS; ++n) {
        const uint col = lane / 8 * 2 * JOINED + n % JOINED * 2 + lane / 4 % 2;  // of 8 JOINED
        UNROLL for (uint half = 0; half < 2; ++half) {
          const uint row = k + (half * 4 + lane % 4) * PARTS;
          UNROLL for (uint i = 0; i < PARTS; ++i) {
            load_parts(rows + i, Bs + (row + i) * BN + warpCol * WN + n / JOINED * JOINED * 8 + col / PARTS * PARTS);
          }
          gather(b + n * 2 + half, rows, col % PARTS);
        }
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
    const auto upper = C + (m * 16 + lane / 4) * N + lane % 4 * 2 * JOINED;
    UNROLL for (uint n = 0; n < ACROSS; n += JOINED) {
      store_sums(upper + n * 8, acc + (m * ACROSS + n) * 4);
      store_sums(upper + 8 * N + n * 8, acc + (m * ACROSS + n) * 4 + 2);
    }
  }
}
