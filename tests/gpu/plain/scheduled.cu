// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 15 with plain pointers: the code that kernels/stages/fp32/scheduled.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros.
static_assert(TM % 4 == 0 && TN % 4 == 0, "this one reads fragments as float4 only");

__device__ __forceinline__ unsigned sharedAddress(const float* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void loadFour(float* to, unsigned address) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(address)
               : "memory");
}

extern "C" __global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    scheduled(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
              const float* __restrict__ B, float beta, float* __restrict__ C) {
  constexpr unsigned pitchA = BM + PAD;
  __shared__ __align__(16) float As[2 * BK * pitchA];  // transposed
  __shared__ __align__(16) float Bs[2 * BK * BN];
  constexpr unsigned threads = (BM / WM) * (BN / WN) * 32;
  constexpr unsigned loadsA = BM * BK / 4 / threads, halves = BK % 8 == 0 ? 2 : 1;
  constexpr unsigned runs = threads / halves, copiesB = BK * BN / 4 / threads;
  constexpr unsigned rowsB = 4 * threads / BN;
  constexpr unsigned down = WM * WN / (32 * TM * TN * WNITER);  // subtiles
  constexpr unsigned stampM = WM / down, stampN = WN / WNITER;
  constexpr unsigned rows = down * TM, cols = WNITER * TN;
  constexpr unsigned lanesDown = stampM / TM, lanesAcross = stampN / TN;
  constexpr unsigned loadsOfB = cols / 4, loads = loadsOfB + rows / 4;  // of one k
  constexpr unsigned room = rows * cols / loads, space = room < 14 ? room : 14;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  const unsigned threadRow = lane % lanesDown;
  const unsigned threadCol = (lane / lanesDown) ^ (threadRow % lanesAcross);
  const unsigned run = threadIdx.x / halves;
  const unsigned rowA = run % BM, colA = (run / BM * halves + threadIdx.x % halves) * 4;
  const unsigned rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  const unsigned number = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned firstRow = number / (GROUP * gridDim.x) * GROUP;
  const unsigned rowsHere = gridDim.y - firstRow < GROUP ? gridDim.y - firstRow : GROUP;
  const unsigned tileRow = firstRow + number % (GROUP * gridDim.x) % rowsHere;
  const unsigned tileCol = number % (GROUP * gridDim.x) / rowsHere;
  A += (tileRow * BM + rowA) * K + colA;
  B += rowB * N + tileCol * BN + colB;
  C += (tileRow * BM + warpRow * WM) * N + tileCol * BN + warpCol * WN;

  float acc[rows * cols] = {};
  float regM[2 * rows] = {};
  float regN[2 * cols] = {};
  float4 nextA[loadsA] = {};
  float* toA = As + (colA * pitchA + rowA);
  float* toB = Bs + (rowB * BN + colB);
  unsigned fromA = sharedAddress(As + (warpRow * WM + threadRow * TM));
  unsigned fromB = sharedAddress(Bs + (warpCol * WN + threadCol * TN));
  int fillA = BK * pitchA, fillB = BK * BN;  // forwards and backwards
  int readA = BK * pitchA, readB = BK * BN;

  const auto fetch = [&] {
#pragma unroll
    for (unsigned load = 0; load < loadsA; ++load) {
      const unsigned row = load * runs % BM, col = load * runs / BM * halves * 4;
      nextA[load] = *reinterpret_cast<const float4*>(A + (row * K + col));
    }
#pragma unroll
    for (unsigned load = 0; load < copiesB; ++load) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       sharedAddress(toB + load * rowsB * BN)),
                   "l"(B + load * rowsB * N)
                   : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    A += BK;
    B += BK * N;
    toB += fillB;
    fillB = -fillB;
  };
  const auto put = [&] {
#pragma unroll
    for (unsigned load = 0; load < loadsA; ++load) {
      const unsigned row = load * runs % BM, col = load * runs / BM * halves * 4;
      toA[(col + 0) * pitchA + row] = nextA[load].x;
      toA[(col + 1) * pitchA + row] = nextA[load].y;
      toA[(col + 2) * pitchA + row] = nextA[load].z;
      toA[(col + 3) * pitchA + row] = nextA[load].w;
    }
    toA += fillA;
    fillA = -fillA;
  };
  const auto fragment = [&](unsigned set, unsigned dot, unsigned load) {
    if (load < loadsOfB) {
      const unsigned n = 4 * load;
      loadFour(regN + set * cols + n, fromB + 4 * (dot * BN + n / TN * stampN + n % TN));
    } else {
      const unsigned m = 4 * (load - loadsOfB);
      loadFour(regM + set * rows + m, fromA + 4 * (dot * pitchA + m / TM * stampM + m % TM));
    }
  };
  const auto multiplyAdd = [&](unsigned dot, unsigned i) {  // rows is a multiple of 4
    const unsigned pair = i / (2 * cols) * 2, place = i % (2 * cols);
    const unsigned block = place / 4 * 2, corner = place % 4;
    const unsigned m = pair + corner / 2;
    const unsigned n = (pair % 4 == 0 ? block : cols - 2 - block) + (corner == 1 || corner == 2);
    acc[m * cols + n] += regM[dot % 2 * rows + m] * regN[dot % 2 * cols + n];
  };

  fetch();
  put();
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
#pragma unroll
  for (unsigned load = 0; load < loads; ++load) fragment(0, 0, load);
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    const bool more = k0 + BK < K;
    if (more) fetch();
#pragma unroll
    for (unsigned dot = 0; dot < BK; ++dot) {
      if (dot == BK - 1) {
        if (more) put();
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        if (more) fromA += 4 * readA, fromB += 4 * readB;
        readA = -readA, readB = -readB;
      }
#pragma unroll
      for (unsigned load = 0; load < loads; ++load) {
#pragma unroll
        for (unsigned i = 0; i < space; ++i) multiplyAdd(dot, load * space + i);
        fragment((dot + 1) % 2, (dot + 1) % BK, load);
      }
#pragma unroll
      for (unsigned i = loads * space; i < rows * cols; ++i) multiplyAdd(dot, i);
    }
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
