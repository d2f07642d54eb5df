// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 2 with plain pointers: the code that kernels/stages/fp32/coalesced.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
extern "C" __global__ void __launch_bounds__(BLOCKSIZE* BLOCKSIZE)
    coalesced(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
              const float* __restrict__ B, float beta, float* __restrict__ C) {
  const unsigned row = blockIdx.x * BLOCKSIZE + threadIdx.x / BLOCKSIZE;
  const unsigned col = blockIdx.y * BLOCKSIZE + threadIdx.x % BLOCKSIZE;
  if (row < M && col < N) {
    float sum = 0;
    A += row * K;
    B += col;
    for (unsigned k = 0; k < K; ++k) {
      sum += A[0] * B[0];
      A += 1;
      B += N;
    }
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}
