// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 2: coalesced. The arithmetic of rung 1 with two lines changed: the block is one-dimensional and
// consecutive threads are laid along N. Now the 32 lanes of a warp read 32 neighbouring floats of B,
// which is one 128-byte line or four full sectors, and they share one element of A. A step along K that
// cost 32 + 1 sectors costs 1 + 4, and the kernel gains about an order of magnitude. Still slow: each
// element of A and B is fetched again by every thread that needs it, N and M times in all.
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
      sum += A[k] * B[0];
      B += N;  //  a pointer that moves, for k * N anew in each step costs a quarter of the speed
    }
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}
