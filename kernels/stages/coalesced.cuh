// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 2: coalesced. The arithmetic of rung 1 with the threads laid out anew: the block is one-dimensional
// and consecutive threads are laid along N. Now the 32 lanes of a warp read 32 neighbouring floats of B,
// which is one 128-byte line or four full sectors, and they share one element of A. A step along K that
// cost 32 + 1 sectors costs 1 + 4, and the kernel gains an order of magnitude. Still slow: each element
// of A and B is fetched again by every thread that needs it, N and M times in all.
#include "kernels/device/portable.cuh"

KERNEL(coalesced, BLOCKSIZE * BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A,                 //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {                         //  B: K x N, C: M x N
  const uint row = blockIdx.x * BLOCKSIZE + threadIdx.x / BLOCKSIZE;       //  one row a warp
  const uint col = blockIdx.y * BLOCKSIZE + threadIdx.x % BLOCKSIZE;       //  neighbouring lanes

  if (row < M && col < N) {
    REGISTER(float, sum);
    A += row * K;                                                          //  the row that the warp shares
    B += col;                                                              //  and this lane's column
    K_DOTS(k) {
      sum += A[0] * B[0];
      A += 1;  //  pointers that step: with both addresses worked out anew from k, as in rung 1,
      B += N;  //  this loop runs at 0.7 of the speed on an H100
    }
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}
