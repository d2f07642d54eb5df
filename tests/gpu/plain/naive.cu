// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 1 with plain pointers: the code that kernels/stages/fp32/naive.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
extern "C" __global__ void __launch_bounds__(BLOCKSIZE* BLOCKSIZE)
    naive(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
          const float* __restrict__ B, float beta, float* __restrict__ C) {
  const unsigned row = blockIdx.x * BLOCKSIZE + threadIdx.x;
  const unsigned col = blockIdx.y * BLOCKSIZE + threadIdx.y;
  if (row < M && col < N) {
    float sum = 0;
    for (unsigned k = 0; k < K; ++k) {
      sum += A[row * K + k] * B[k * N + col];
    }
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}
