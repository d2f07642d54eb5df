// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 7 with plain pointers: the code that kernels/stages/fp32/autotuned.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
static_assert(TM % 4 == 0 && TN % 4 == 0, "this one reads fragments as float4 only");

extern "C" __global__ void __launch_bounds__((BM / TM) * (BN / TN))
    autotuned(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
              const float* __restrict__ B, float beta, float* __restrict__ C) {
  __shared__ __align__(16) float As[BK * BM];  // transposed
  __shared__ __align__(16) float Bs[BK * BN];
  constexpr unsigned threads = (BM / TM) * (BN / TN);
  constexpr unsigned rowsA = 4 * threads / BK;
  constexpr unsigned rowsB = 4 * threads / BN;
  const unsigned threadCol = threadIdx.x % (BN / TN);
  const unsigned threadRow = threadIdx.x / (BN / TN);
  const unsigned rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4) * 4;
  const unsigned rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM * TN] = {};
  float regM[TM] = {};
  float regN[TN] = {};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (unsigned pass = 0; pass < BM; pass += rowsA) {
      const float4 a = *reinterpret_cast<const float4*>(A + (pass + rowA) * K + colA);
      As[(colA + 0) * BM + pass + rowA] = a.x;
      As[(colA + 1) * BM + pass + rowA] = a.y;
      As[(colA + 2) * BM + pass + rowA] = a.z;
      As[(colA + 3) * BM + pass + rowA] = a.w;
    }
#pragma unroll
    for (unsigned pass = 0; pass < BK; pass += rowsB) {
      *reinterpret_cast<float4*>(Bs + (pass + rowB) * BN + colB) =
          *reinterpret_cast<const float4*>(B + (pass + rowB) * N + colB);
    }
    __syncthreads();
    A += BK;
    B += BK * N;
    for (unsigned dot = 0; dot < BK; ++dot) {
      const float* fromA = As + dot * BM + threadRow * TM;
#pragma unroll
      for (unsigned i = 0; i < TM; i += 4) {
        const float4 v = *reinterpret_cast<const float4*>(fromA + i);
        regM[i] = v.x, regM[i + 1] = v.y, regM[i + 2] = v.z, regM[i + 3] = v.w;
      }
      const float* fromB = Bs + dot * BN + threadCol * TN;
#pragma unroll
      for (unsigned i = 0; i < TN; i += 4) {
        const float4 v = *reinterpret_cast<const float4*>(fromB + i);
        regN[i] = v.x, regN[i + 1] = v.y, regN[i + 2] = v.z, regN[i + 3] = v.w;
      }
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
    for (unsigned n = 0; n < TN; n += 4) {
      const unsigned at = (threadRow * TM + m) * N + threadCol * TN + n;
      float4 c = *reinterpret_cast<const float4*>(C + at);
      c.x = alpha * acc[m * TN + n + 0] + beta * c.x;
      c.y = alpha * acc[m * TN + n + 1] + beta * c.y;
      c.z = alpha * acc[m * TN + n + 2] + beta * c.z;
      c.w = alpha * acc[m * TN + n + 3] + beta * c.w;
      *reinterpret_cast<float4*>(C + at) = c;
    }
  }
}
