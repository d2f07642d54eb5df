// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 3: shared memory. The block copies one square tile of A and one of B
// into shared memory, and all threads multiply from there; then both tiles
// move on along K. Each element is now loaded from global memory once per
// block instead of once per thread: global traffic falls by the edge of the
// block. The gain is smaller: caches already caught much of the waste, and the
// inner loop now spends nearly all its instructions on shared-memory loads.

// It issues two loads per multiply-add, minus those that the assembler merges
// along the row of As. The next rungs issue more multiply-adds per load.
#include "kernels/device/portable.cuh"

KERNEL(shared, BLOCKSIZE * BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A,  //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {          //  B: K x N, C: M x N
  SHARED_TILES(As, BLOCKSIZE * BLOCKSIZE,                   //  As: BLOCKSIZE x BLOCKSIZE, as A
               Bs, BLOCKSIZE * BLOCKSIZE);                  //  Bs: BLOCKSIZE x BLOCKSIZE, as B
  const uint row = threadIdx.x / BLOCKSIZE;                 //  within the tile
  const uint col = threadIdx.x % BLOCKSIZE;

  A += blockIdx.x * BLOCKSIZE * K;                          //  this block's rows of A,
  B += blockIdx.y * BLOCKSIZE;                              //  its columns of B
  C += blockIdx.x * BLOCKSIZE * N + blockIdx.y * BLOCKSIZE; //  and its tile of C
  A += row * K + col;                                       //  within the first tiles: the elements
  B += row * N + col;                                       //  that this thread loads

  REGISTER(float, sum);
  UNROLLED_K_TILES(k0, BLOCKSIZE) {
    As[row * BLOCKSIZE + col] = A[0];
    Bs[row * BLOCKSIZE + col] = B[0];
    __syncthreads();  //  both tiles are complete before the FMAs begin
    A += BLOCKSIZE;
    B += BLOCKSIZE * N;

    UNROLLED_DOTS(dot, BLOCKSIZE) {
      sum += As[row * BLOCKSIZE + dot] * Bs[dot * BLOCKSIZE + col];
    }
    __syncthreads();  //  all reads are over before the next stores
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}
