// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 2: coalesced. The arithmetic is that of rung 1, but the block is
// one-dimensional and consecutive threads are along N. The 32 lanes of a warp
// now read 32 neighbouring floats of B, which are one line of 128 bytes or
// four full sectors, and share one element of A. Each k costs 1 + 4 sectors
// instead of 32 + 1, and the kernel becomes about ten times as fast.

// Still slow: every thread that needs an element of A or B loads it again, N
// and M times in all.
#include "kernels/device/portable.cuh"

KERNEL(coalesced, BLOCKSIZE * BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A,                 //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {                         //  B: K x N, C: M x N
  const uint row = blockIdx.x * BLOCKSIZE + threadIdx.x / BLOCKSIZE;       //  one row per warp
  const uint col = blockIdx.y * BLOCKSIZE + threadIdx.x % BLOCKSIZE;       //  neighbouring lanes

  if (row < M && col < N) {
    REGISTER(float, sum);
    A += row * K;                                                          //  the row that the warp shares
    B += col;                                                              //  and this lane's column
    K_DOTS(k) {
      sum += A[0] * B[0];
      A += 1;  //  stepped pointers: with both addresses computed again from k, as in rung 1,
      B += N;  //  this loop runs at 0.7 of the speed on an H100
    }
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}
