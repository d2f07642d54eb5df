// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 16 with plain pointers: the code that kernels/stages/fp32/rewritten.cuh must match on a GPU,
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

__device__ __forceinline__ void storeOne(unsigned address, float x) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(x) : "memory");
}

extern "C" __global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    rewritten(unsigned M, unsigned N, unsigned K, float alpha, const float* __restrict__ A,
              const float* __restrict__ B, float beta, float* __restrict__ C,
              float* __restrict__ left) {
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
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  const unsigned threadRow = lane % lanesDown;
  const unsigned threadCol = (lane / lanesDown) ^ (threadRow % lanesAcross);
  const unsigned run = threadIdx.x / halves;
  const unsigned rowA = run % BM, colA = (run / BM * halves + threadIdx.x % halves) * 4;
  const unsigned rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  const unsigned number = blockIdx.y * gridDim.x + blockIdx.x;
  unsigned tile = number, from = 0, depth = K;  // all of a tile's K, unless a table says otherwise
  if (SPLIT > 1) {
    const uint4 its = __ldcg(reinterpret_cast<const uint4*>(left) + 2 * number);
    tile = its.x, from = its.y, depth = its.z;
  }
  const unsigned tilesAcross = N / BN, tilesDown = M / BM;
  const unsigned firstRow = tile / (GROUP * tilesAcross) * GROUP;
  const unsigned rowsHere = tilesDown - firstRow < GROUP ? tilesDown - firstRow : GROUP;
  const unsigned tileRow = firstRow + tile % (GROUP * tilesAcross) % rowsHere;
  const unsigned tileCol = tile % (GROUP * tilesAcross) / rowsHere;
  A += (tileRow * BM + rowA) * K + from + colA;
  B += (from + rowB) * N + tileCol * BN + colB;
  C += (tileRow * BM + warpRow * WM) * N + tileCol * BN + warpCol * WN;

  float acc[rows * cols] = {};
  float regM[2 * rows] = {};
  float regN[2 * cols] = {};
  float4 nextA[loadsA] = {};
  unsigned toA = sharedAddress(As + (colA * pitchA + rowA));  // in bytes, as all that follow
  unsigned toB = sharedAddress(Bs + (rowB * BN + colB));
  unsigned fromA = sharedAddress(As + (warpRow * WM + threadRow * TM));
  unsigned fromB = sharedAddress(Bs + (warpCol * WN + threadCol * TN));
  int otherA = 4 * BK * pitchA, otherB = 4 * BK * BN;  // forwards and backwards

  const auto fetch = [&] {
#pragma unroll
    for (unsigned load = 0; load < loadsA; ++load) {
      const unsigned row = load * runs % BM, col = load * runs / BM * halves * 4;
      nextA[load] = *reinterpret_cast<const float4*>(A + (row * K + col));
    }
#pragma unroll
    for (unsigned load = 0; load < copiesB; ++load) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(toB + 4 * load * rowsB * BN),
                   "l"(B + load * rowsB * N)
                   : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  const auto put = [&] {
#pragma unroll
    for (unsigned load = 0; load < loadsA; ++load) {
      const unsigned row = load * runs % BM, col = load * runs / BM * halves * 4;
      const unsigned to = toA + 4 * (col * pitchA + row);
      storeOne(to, nextA[load].x);
      storeOne(to + 4 * pitchA, nextA[load].y);
      storeOne(to + 8 * pitchA, nextA[load].z);
      storeOne(to + 12 * pitchA, nextA[load].w);
    }
  };
  const auto fragments = [&](unsigned set, unsigned dot) {
#pragma unroll
    for (unsigned wm = 0; wm < down; ++wm) {
#pragma unroll
      for (unsigned i = 0; i < TM; i += 4) {
        loadFour(regM + set * rows + wm * TM + i, fromA + 4 * (dot * pitchA + wm * stampM) + 4 * i);
      }
    }
#pragma unroll
    for (unsigned wn = 0; wn < WNITER; ++wn) {
#pragma unroll
      for (unsigned i = 0; i < TN; i += 4) {
        loadFour(regN + set * cols + wn * TN + i, fromB + 4 * (dot * BN + wn * stampN) + 4 * i);
      }
    }
  };

  fetch();
  put();
  A += BK, B += BK * N;
  toA += otherA, toB += otherB;
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  fragments(0, 0);
  for (unsigned k0 = 0; k0 < depth; k0 += BK) {
    const bool more = k0 + BK < depth;
    if (more) fetch();
    A += BK, B += BK * N;
#pragma unroll
    for (unsigned dot = 0; dot < BK; ++dot) {
      if (dot == BK - 1) {
        if (more) put();
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        if (more) fromA += otherA, fromB += otherB;
        otherA = -otherA, otherB = -otherB;
        toA += otherA, toB += otherB;
      }
      fragments((dot + 1) % 2, (dot + 1) % BK);
#pragma unroll
      for (unsigned n = 0; n < cols; ++n) {
#pragma unroll
        for (unsigned i = 0; i < rows; ++i) {
          const unsigned m = n % 2 == 0 ? i : rows - 1 - i;
          acc[m * cols + n] += regM[dot % 2 * rows + m] * regN[dot % 2 * cols + n];
        }
      }
    }
  }

  if (SPLIT > 1) {
    unsigned flag, sums, which, parts;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(flag), "=r"(sums), "=r"(which), "=r"(parts)
                 : "l"(reinterpret_cast<const uint4*>(left) + (2 * number + 1)));
    if (parts > 1) {
      float* const all = left + (sums + threadIdx.x * 4);
      float* const own = all + which * BM * BN;
#pragma unroll
      for (unsigned i = 0; i < rows * cols; i += 4) {
        __stcg(reinterpret_cast<float4*>(own + i * threads),
               make_float4(acc[i], acc[i + 1], acc[i + 2], acc[i + 3]));
      }
      __threadfence();
      __syncthreads();
      unsigned* const told = reinterpret_cast<unsigned*>(As);
      if (threadIdx.x == 0) {
        unsigned before;
        float* const count = left + flag;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;"
                     : "=r"(before)
                     : "l"(count)
                     : "memory");
        if (before + 1 == parts)
          asm volatile("st.relaxed.gpu.global.u32 [%0], 0;" ::"l"(count) : "memory");
        *told = before;
      }
      __syncthreads();
      if (*told + 1 != parts) return;
#pragma unroll
      for (unsigned first = 0; first < rows * cols; first += 32) {
#pragma unroll
        for (unsigned i = first; i < first + 32 && i < rows * cols; ++i) acc[i] = 0;
#pragma unroll 1
        for (unsigned part = 0; part < parts; ++part) {
#pragma unroll
          for (unsigned i = first; i < first + 32 && i < rows * cols; i += 4) {
            const float4 v = __ldcg(
                reinterpret_cast<const float4*>(all + part * (BM * BN) + i / 4 * (threads * 4)));
            acc[i] += v.x, acc[i + 1] += v.y, acc[i + 2] += v.z, acc[i + 3] += v.w;
          }
        }
      }
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
