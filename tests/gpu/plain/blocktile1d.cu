// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 4 with plain pointers: the code that kernels/stages/fp32/blocktile1d.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
extern "C" __global__ void __launch_bounds__(BM* BN / TM)
    blocktile1d(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
                const float* __restrict__ B, float beta, float* __restrict__ C) {
  __shared__ __align__(16) float As[BM * BK];
  __shared__ __align__(16) float Bs[BK * BN];
  constexpr unsigned rowsA = BM * BN / TM / BK;
  constexpr unsigned rowsB = BM * BN / TM / BN;
  const unsigned threadCol = threadIdx.x % BN;
  const unsigned threadRow = threadIdx.x / BN;
  const unsigned rowA = threadIdx.x / BK, colA = threadIdx.x % BK;
  const unsigned rowB = threadIdx.x / BN, colB = threadIdx.x % BN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM] = {};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (unsigned pass = 0; pass < BM; pass += rowsA) {
      As[(pass + rowA) * BK + colA] = A[(pass + rowA) * K + colA];
    }
#pragma unroll
    for (unsigned pass = 0; pass < BK; pass += rowsB) {
      Bs[(pass + rowB) * BN + colB] = B[(pass + rowB) * N + colB];
    }
    __syncthreads();
    A += BK;
    B += BK * N;
#pragma unroll
    for (unsigned dot = 0; dot < BK; ++dot) {
      const float b = Bs[dot * BN + threadCol];
#pragma unroll
      for (unsigned m = 0; m < TM; ++m) {
        acc[m] += As[(threadRow * TM + m) * BK + dot] * b;
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (unsigned m = 0; m < TM; ++m) {
    const unsigned at = (threadRow * TM + m) * N + threadCol;
    C[at] = alpha * acc[m] + beta * C[at];
  }
}
