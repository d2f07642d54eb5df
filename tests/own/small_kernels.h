// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels as people write them, in one file.
#pragma once

namespace tileloom::own {

inline constexpr const char* kSmallKernels = R"(
extern "C" __global__ void __launch_bounds__(256) square(int M, int N, int K, float alpha, const float* A, const float* B,
                                                         float beta, float* C) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
  C[i * N + j] = alpha * sum + beta * C[i * N + j];
}
// C first, a tile of 32 x 64 for 128 threads, one number for all tiles.
extern "C" __global__ void __launch_bounds__(128) numbered(float* C, const float* A, const float* B, int M, int N, int K) {
  __shared__ float a[32][8], b[8][64];
  int tiles = N / 64, row = blockIdx.x / tiles * 32, column = blockIdx.x % tiles * 64, t = threadIdx.x;
  float sums[16] = {};
  for (int k = 0; k < K; k += 8) {
    for (int i = t; i < 256; i += 128) a[i / 8][i % 8] = A[(row + i / 8) * K + k + i % 8];
    for (int i = t; i < 512; i += 128) b[i / 64][i % 64] = B[(k + i / 64) * N + column + i % 64];
    __syncthreads();
    for (int d = 0; d < 8; ++d)
      for (int i = 0; i < 16; ++i) sums[i] += a[t / 64 + 2 * i][d] * b[d][t % 64];
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i) C[(row + t / 64 + 2 * i) * N + column + t % 64] = sums[i];
}
// Strides behind each pointer, and the rows along x.
extern "C" __global__ void __launch_bounds__(64) strides(int M, int N, int K, float alpha, const float* A, int lda,
                                                         const float* B, int ldb, float beta, float* C, int ldc) {
  int i = blockIdx.x * 8 + threadIdx.y, j = blockIdx.y * 8 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[i * lda + k] * B[k * ldb + j];
  C[i * ldc + j] = alpha * sum + beta * C[i * ldc + j];
}
// The last row of each tile is left out.
extern "C" __global__ void __launch_bounds__(64) wrong(int M, int N, int K, const float* A, const float* B, float* C) {
  int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K - (threadIdx.y == 7); ++k) sum += A[i * K + k] * B[k * N + j];
  C[i * N + j] = sum;
}
extern "C" __global__ void adds(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
}
)";

}  // namespace tileloom::own
