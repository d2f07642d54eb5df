// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 1: naive. One thread computes one element of C. It reads a row of A and
// a column of B directly from global memory. Consecutive threads of a warp are
// along M, so that the 32 lanes of one load of A read 32 different rows, K
// floats apart: 32 sectors are fetched for 32 floats, and seven eighths of
// each sector are not used by that request. The kernel is correct and reaches
// about one per cent of what the GPU can do.

// All lanes share the one element that a load of B reads.
#include "kernels/device/portable.cuh"

KERNEL(naive, BLOCKSIZE * BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A,  //  A: M x K, row-major
 gmem<const float> B, float beta, gmem<float> C) {          //  B: K x N, C: M x N
  const uint row = blockIdx.x * BLOCKSIZE + threadIdx.x;    //  neighbouring lanes: neighbouring rows
  const uint col = blockIdx.y * BLOCKSIZE + threadIdx.y;

  if (row < M && col < N) {  //  the last blocks may reach beyond the edge of C
    REGISTER(float, sum);
    K_DOTS(k) {
      sum += A[row * K + k] * B[k * N + col];
    }
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}
