// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 3 with plain pointers: the code that kernels/stages/fp32/shared.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
extern "C" __global__ void __launch_bounds__(BLOCKSIZE* BLOCKSIZE)
    shared(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
           const float* __restrict__ B, float beta, float* __restrict__ C) {
  __shared__ __align__(16) float As[BLOCKSIZE * BLOCKSIZE];
  __shared__ __align__(16) float Bs[BLOCKSIZE * BLOCKSIZE];
  const unsigned row = threadIdx.x / BLOCKSIZE;
  const unsigned col = threadIdx.x % BLOCKSIZE;
  A += blockIdx.x * BLOCKSIZE * K;
  B += blockIdx.y * BLOCKSIZE;
  C += blockIdx.x * BLOCKSIZE * N + blockIdx.y * BLOCKSIZE;
  A += row * K + col;
  B += row * N + col;

  float sum = 0;
#pragma unroll 4
  for (int k0 = 0; k0 < K; k0 += BLOCKSIZE) {
    As[row * BLOCKSIZE + col] = A[0];
    Bs[row * BLOCKSIZE + col] = B[0];
    __syncthreads();
    A += BLOCKSIZE;
    B += BLOCKSIZE * N;
#pragma unroll
    for (unsigned dot = 0; dot < BLOCKSIZE; ++dot) {
      sum += As[row * BLOCKSIZE + dot] * Bs[dot * BLOCKSIZE + col];
    }
    __syncthreads();
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}
