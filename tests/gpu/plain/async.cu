// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 12 with plain pointers: the code that kernels/stages/fp32/async.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
static_assert(TM % 4 == 0 && TN % 4 == 0, "this one reads fragments as float4 only");

__device__ __forceinline__ unsigned sharedAddress(const float* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void copyOne(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sharedAddress(to)), "l"(from)
               : "memory");
}

__device__ __forceinline__ void copyFour(float* to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(to)), "l"(from)
               : "memory");
}

extern "C" __global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    async(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
          const float* __restrict__ B, float beta, float* __restrict__ C) {
  constexpr unsigned pitchA = BM + PAD;
  __shared__ __align__(16) float As[STAGES * BK * pitchA];  // transposed
  __shared__ __align__(16) float Bs[STAGES * BK * BN];
  constexpr unsigned threads = (BM / WM) * (BN / WN) * 32;
  constexpr unsigned copiesA = BM * BK / threads, copiesB = BK * BN / 4 / threads;
  constexpr unsigned run = BK % 8 == 0 ? 8 : 4;  // lanes side by side in a row of A
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

  const auto copy = [&](unsigned buffer) {
#pragma unroll
    for (unsigned load = 0; load < copiesA; ++load) {
      const unsigned i = (load * threads + threadIdx.x) / run;
      const unsigned rowA = i % BM, colA = i / BM * run + threadIdx.x % run;
      copyOne(As + buffer * BK * pitchA + colA * pitchA + rowA, A + rowA * K + colA);
    }
#pragma unroll
    for (unsigned load = 0; load < copiesB; ++load) {
      const unsigned row = load * rowsB + rowB;
      copyFour(Bs + buffer * BK * BN + row * BN + colB, B + row * N + colB);
    }
    A += BK;
    B += BK * N;
  };

#pragma unroll
  for (unsigned stage = 0; stage < STAGES - 1; ++stage) {
    if (stage * BK < K) copy(stage);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  unsigned buffer = 0;
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    if (k0 + (STAGES - 1) * BK < K) copy(buffer == 0 ? STAGES - 1 : buffer - 1);
    asm volatile("cp.async.commit_group;" ::: "memory");
    const float* tileA = As + buffer * BK * pitchA + warpRow * WM + threadRow * TM;
    const float* tileB = Bs + buffer * BK * BN + warpCol * WN + threadCol * TN;
#pragma unroll
    for (unsigned wm = 0; wm < down; ++wm) {
      const float* from =
          tileA + wm * stampM;
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
          tileB + wn * stampN;
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
              tileA + (dot + 1) * pitchA + wm * stampM;
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
              tileB + (dot + 1) * BN + wn * stampN;
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
    buffer = buffer == STAGES - 1 ? 0 : buffer + 1;
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
