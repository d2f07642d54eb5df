// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 5 with plain pointers: the code that kernels/stages/fp32/blocktile2d.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
extern "C" __global__ void __launch_bounds__((BM / TM) * (BN / TN))
    blocktile2d(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
                const float* __restrict__ B, float beta, float* __restrict__ C) {
  __shared__ __align__(16) float As[BM * BK];
  __shared__ __align__(16) float Bs[BK * BN];
  constexpr unsigned threads = (BM / TM) * (BN / TN);
  constexpr unsigned rowsA = threads / BK;
  constexpr unsigned rowsB = threads / BN;
  const unsigned threadCol = threadIdx.x % (BN / TN);
  const unsigned threadRow = threadIdx.x / (BN / TN);
  const unsigned rowA = threadIdx.x / BK, colA = threadIdx.x % BK;
  const unsigned rowB = threadIdx.x / BN, colB = threadIdx.x % BN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM * TN] = {};
  float regM[TM] = {};
  float regN[TN] = {};
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
#pragma unroll 1
    for (unsigned dot = 0; dot < BK; ++dot) {
#pragma unroll
      for (unsigned m = 0; m < TM; ++m) regM[m] = As[(threadRow * TM + m) * BK + dot];
#pragma unroll
      for (unsigned n = 0; n < TN; ++n) regN[n] = Bs[dot * BN + threadCol * TN + n];
#pragma unroll
      for (unsigned m = 0; m < TM; ++m) {
#pragma unroll
        for (unsigned n = 0; n < TN; ++n) {
          acc[m * TN + n] += regM[m] * regN[n];
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (unsigned m = 0; m < TM; ++m) {
#pragma unroll
    for (unsigned n = 0; n < TN; ++n) {
      const unsigned at = (threadRow * TM + m) * N + threadCol * TN + n;
      C[at] = alpha * acc[m * TN + n] + beta * C[at];
    }
  }
}
