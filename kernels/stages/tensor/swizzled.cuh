// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T2: swizzled tiles. Rung T1 waits for shared memory: ldmatrix reads
// eight rows of 16 bytes at once, and because these rows are a multiple of 32
// bytes apart, they are in a few of the 32 banks. Here a tile is split into
// panels of SWIZZLE bytes, so that a few rows of a panel fill one line of 128
// bytes, which has all banks, and each chunk of 16 bytes is at its number XOR
// that of its line. Eight rows below each other never share a bank, nor do
// eight adjacent chunks: neither ldmatrix nor the store has conflicts, and no
// byte is spent on padding.

// Wide panels read whole lines of global memory, narrow ones parts of more
// lines. With SWIZZLE = 0 the tiles are row-major, as in rung T1. Still slow:
// the block does not load while the tensor cores multiply, and does not
// multiply while it loads.
#include "kernels/device/portable.cuh"
#include "kernels/device/tensor.cuh"

KERNEL16(swizzled, (BM / WM) * (BN / WN) * 32)
(uint M, uint N, uint K, gmem<const element> A,                //  A: M x K, row-major
 gmem<const element> B, gmem<element> C) {                     //  B: K x N, C: M x N
  SHARED16(As, BM * BK, Bs, BK * BN);                          //  in panels, one after another
  CONSTANT uint THREADS = (BM / WM) * (BN / WN) * 32;
  CONSTANT uint LOADS_A = BM * BK / 8 / THREADS;               //  16 bytes of A that a thread copies
  CONSTANT uint LOADS_B = BK * BN / 8 / THREADS;
  CONSTANT uint PANEL_A = SWIZZLE == 0 ? BK : SWIZZLE / 2;     //  columns of a panel of A: BM rows
  CONSTANT uint PANEL_B = SWIZZLE == 0 ? BN : SWIZZLE / 2;     //  and of B: BK rows
  CONSTANT uint CHUNKS_A = PANEL_A / 8, CHUNKS_B = PANEL_B / 8;  //  of 8 elements, across a panel
  CONSTANT uint MASK = SWIZZLE == 0 ? 0 : SWIZZLE / 16 - 1;    //  bits of a chunk's number that XOR changes
  CONSTANT uint DOWN = WM / 16, ACROSS = WN / 8;               //  mma.sync tiles of a warp tile

  const uint warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);  //  in the block tile

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;  //  the warp's tile

  REGISTERS(float, acc, DOWN * ACROSS * 4);                    //  4 accumulators of each 16 x 8
  FRAGMENTS(a, DOWN * 4);                                      //  8 elements of each 16 x 16 of A
  FRAGMENTS(b, ACROSS * 2);                                    //  4 elements of each 16 x 8 of B

  const auto place = [&](const uint chunk) {                   //  where a chunk begins; 8 make a line
    return (chunk ^ (chunk / 8 & MASK)) * 8;
  };

  K_TILES(k0, BK) {
    UNROLL for (uint load = 0; load < LOADS_A; ++load) {       //  chunks in the order of the panels
      const uint i = load * THREADS + threadIdx.x;
      const uint row = i / CHUNKS_A % BM, col = i / CHUNKS_A / BM * PANEL_A + i % CHUNKS_A * 8;
      store8(As + place(i), load8(A + row * K + col));
    }
    UNROLL for (uint load = 0; load < LOADS_B; ++load) {
      const uint i = load * THREADS + threadIdx.x;
      const uint row = i / CHUNKS_B % BK, col = i / CHUNKS_B / BK * PANEL_B + i % CHUNKS_B * 8;
      store8(Bs + place(i), load8(B + row * N + col));
    }
    A += BK;
    B += BK * N;
    __syncthreads();
    MMA_STEPS(k, BK) {
      UNROLL for (uint m = 0; m < DOWN; ++m) {                 //  8 rows, 8 more, then the next 8 columns
        const uint row = k / PANEL_A * BM + warpRow * WM + m * 16 + lane % 16;
        load_matrices(a + m * 4, As + place(row * CHUNKS_A + k % PANEL_A / 8 + lane / 16));
      }
      UNROLL for (uint n = 0; n < ACROSS; n += 2) {            //  two tiles of B with one ldmatrix
        const uint col = warpCol * WN + n * 8, row = col / PANEL_B * BK + k + lane % 16;
        load_matrices_turned(b + n * 2, Bs + place(row * CHUNKS_B + col % PANEL_B / 8 + lane / 16));
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
