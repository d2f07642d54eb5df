// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 10 with plain pointers: the code that kernels/stages/fp32/fragments.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
static_assert(TM % 4 == 0 && TN % 4 == 0, "this one reads fragments as float4 only");

extern "C" __global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    fragments(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
              const float* __restrict__ B, float beta, float* __restrict__ C) {
  constexpr unsigned pitchA = BM + PAD;
  __shared__ __align__(16) float As[BK * pitchA];  // transposed
  __shared__ __align__(16) float Bs[BK * BN];
  constexpr unsigned threads = (BM / WM) * (BN / WN) * 32;
  constexpr unsigned loadsA = BM * BK / 4 / threads, halves = BK % 8 == 0 ? 2 : 1;
  constexpr unsigned rowsB = 4 * threads / BN;
  constexpr unsigned down = WM * WN / (32 * TM * TN * WNITER);  // subtiles
  constexpr unsigned stampM = WM / down, stampN = WN / WNITER;
  constexpr unsigned rows = down * TM, cols = WNITER * TN;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  const unsigned threadRow = lane / (stampN / TN), threadCol = lane % (stampN / TN);
  const unsigned rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;

  float acc[rows * cols] = {};
  float regM[2 * rows] = {};
  float regN[2 * cols] = {};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (unsigned load = 0; load < loadsA; ++load) {
      const unsigned run = (load * threads + threadIdx.x) / halves;
      const unsigned rowA = run % BM, colA = (run / BM * halves + threadIdx.x % halves) * 4;
      const float4 a = *reinterpret_cast<const float4*>(A + rowA * K + colA);
      As[(colA + 0) * pitchA + rowA] = a.x;
      As[(colA + 1) * pitchA + rowA] = a.y;
      As[(colA + 2) * pitchA + rowA] = a.z;
      As[(colA + 3) * pitchA + rowA] = a.w;
    }
#pragma unroll
    for (unsigned pass = 0; pass < BK; pass += rowsB) {
      *reinterpret_cast<float4*>(Bs + (pass + rowB) * BN + colB) =
          *reinterpret_cast<const float4*>(B + (pass + rowB) * N + colB);
    }
    __syncthreads();
    A += BK;
    B += BK * N;
#pragma unroll
    for (unsigned wm = 0; wm < down; ++wm) {
      const float* from =
          As + warpRow * WM + threadRow * TM + wm * stampM;
#pragma unroll
      for (unsigned i = 0; i < TM; i += 4) {
        const float4 v = *reinterpret_cast<const float4*>(from + i);
        float* to = regM + wm * TM + i;
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
      }
    }
#pragma unroll
    for (unsigned wn = 0; wn < WNITER; ++wn) {
      const float* from =
          Bs + warpCol * WN + threadCol * TN + wn * stampN;
#pragma unroll
      for (unsigned i = 0; i < TN; i += 4) {
        const float4 v = *reinterpret_cast<const float4*>(from + i);
        float* to = regN + wn * TN + i;
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
      }
    }
#pragma unroll
    for (unsigned dot = 0; dot < BK; ++dot) {
      const unsigned nowM = dot % 2 * rows, nextM = rows - nowM;
      const unsigned nowN = dot % 2 * cols, nextN = cols - nowN;
      if (dot + 1 < BK) {
#pragma unroll
        for (unsigned wm = 0; wm < down; ++wm) {
          const float* from =
              As + warpRow * WM + threadRow * TM + (dot + 1) * pitchA + wm * stampM;
#pragma unroll
          for (unsigned i = 0; i < TM; i += 4) {
            const float4 v = *reinterpret_cast<const float4*>(from + i);
            float* to = regM + nextM + wm * TM + i;
            to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
          }
        }
#pragma unroll
        for (unsigned wn = 0; wn < WNITER; ++wn) {
          const float* from =
              Bs + warpCol * WN + threadCol * TN + (dot + 1) * BN + wn * stampN;
#pragma unroll
          for (unsigned i = 0; i < TN; i += 4) {
            const float4 v = *reinterpret_cast<const float4*>(from + i);
            float* to = regN + nextN + wn * TN + i;
            to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
          }
        }
      }
#pragma unroll
      for (unsigned m = 0; m < rows; ++m) {
#pragma unroll
        for (unsigned n = 0; n < cols; ++n) {
          acc[m * cols + n] += regM[nowM + m] * regN[nowN + n];
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
          const unsigned i = (wm * TM + m) * cols + wn * TN + n;
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
