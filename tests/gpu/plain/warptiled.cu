// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 8 with plain pointers: the code that kernels/stages/fp32/warptiled.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
static_assert(TM % 4 == 0 && TN % 4 == 0, "this one reads fragments as float4 only");

extern "C" __global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    warptiled(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
              const float* __restrict__ B, float beta, float* __restrict__ C) {
  __shared__ __align__(16) float As[BK * BM];  // transposed
  __shared__ __align__(16) float Bs[BK * BN];
  constexpr unsigned threads = (BM / WM) * (BN / WN) * 32;
  constexpr unsigned rowsA = 4 * threads / BK;
  constexpr unsigned rowsB = 4 * threads / BN;
  constexpr unsigned down = WM * WN / (32 * TM * TN * WNITER);  // subtiles
  constexpr unsigned stampM = WM / down, stampN = WN / WNITER;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  const unsigned threadRow = lane / (stampN / TN), threadCol = lane % (stampN / TN);
  const unsigned rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4) * 4;
  const unsigned rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;

  float acc[down * TM * WNITER * TN] = {};
  float regM[down * TM] = {};
  float regN[WNITER * TN] = {};
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
#pragma unroll
      for (unsigned wm = 0; wm < down; ++wm) {
        const float* fromA = As + dot * BM + warpRow * WM + wm * stampM + threadRow * TM;
#pragma unroll
        for (unsigned i = 0; i < TM; i += 4) {
          const float4 v = *reinterpret_cast<const float4*>(fromA + i);
          regM[wm * TM + i] = v.x, regM[wm * TM + i + 1] = v.y, regM[wm * TM + i + 2] = v.z,
                         regM[wm * TM + i + 3] = v.w;
        }
      }
#pragma unroll
      for (unsigned wn = 0; wn < WNITER; ++wn) {
        const float* fromB = Bs + dot * BN + warpCol * WN + wn * stampN + threadCol * TN;
#pragma unroll
        for (unsigned i = 0; i < TN; i += 4) {
          const float4 v = *reinterpret_cast<const float4*>(fromB + i);
          regN[wn * TN + i] = v.x, regN[wn * TN + i + 1] = v.y, regN[wn * TN + i + 2] = v.z,
                         regN[wn * TN + i + 3] = v.w;
        }
      }
#pragma unroll
      for (unsigned wm = 0; wm < down; ++wm) {
#pragma unroll
        for (unsigned wn = 0; wn < WNITER; ++wn) {
#pragma unroll
          for (unsigned m = 0; m < TM; ++m) {
#pragma unroll
            for (unsigned n = 0; n < TN; ++n) {
              acc[(wm * TM + m) * (WNITER * TN) + wn * TN + n] +=
                  regM[wm * TM + m] * regN[wn * TN + n];
            }
          }
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (unsigned wm = 0; wm < down; ++wm) {
#pragma unroll
    for (unsigned wn = 0; wn < WNITER; ++wn) {
#pragma unroll
      for (unsigned m = 0; m < TM; ++m) {
#pragma unroll
        for (unsigned n = 0; n < TN; n += 4) {
          const unsigned i = (wm * TM + m) * (WNITER * TN) + wn * TN + n;
          const unsigned at =
              (wm * stampM + threadRow * TM + m) * N + wn * stampN + threadCol * TN + n;
          float4 c = *reinterpret_cast<const float4*>(C + at);
          c.x = alpha * acc[i + 0] + beta * c.x;
          c.y = alpha * acc[i + 1] + beta * c.y;
          c.z = alpha * acc[i + 2] + beta * c.z;
          c.w = alpha * acc[i + 3] + beta * c.w;
          *reinterpret_cast<float4*>(C + at) = c;
        }
      }
    }
  }
}
