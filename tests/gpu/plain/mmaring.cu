// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T3 with plain pointers: the code that kernels/stages/tensor/mmaring.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros, and
// so is ELEMENT.
#define bf16 0
#define fp16 1
#if ELEMENT == fp16
#define MULTIPLY "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
#define ROUND "cvt.rn.f16x2.f32 %0, %1, %2;"
#else
#define MULTIPLY "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
#define ROUND "cvt.rn.bf16x2.f32 %0, %1, %2;"
#endif

extern "C" __global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    mmaring(unsigned M, unsigned N, unsigned K, const unsigned short* __restrict__ A,
            const unsigned short* __restrict__ B, unsigned short* __restrict__ C) {
#ifdef DYNAMIC_SHARED
  extern __shared__ float4 shared[];
  unsigned short* const As = reinterpret_cast<unsigned short*>(shared);
  unsigned short* const Bs = As + STAGES * BM * BK;
#else
  __shared__ __align__(16) unsigned short As[STAGES * BM * BK];
  __shared__ __align__(16) unsigned short Bs[STAGES * BK * BN];
#endif
  constexpr unsigned threads = (BM / WM) * (BN / WN) * 32;
  constexpr unsigned panel = SWIZZLE / 2, chunks = panel / 8, pass = threads / chunks;
  constexpr unsigned down = WM / 16, across = WN / 8;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  const unsigned number = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned firstRow = number / (GROUP * gridDim.x) * GROUP;
  const unsigned rows = gridDim.y - firstRow < GROUP ? gridDim.y - firstRow : GROUP;
  const unsigned tileRow = firstRow + number % (GROUP * gridDim.x) % rows;
  const unsigned tileCol = number % (GROUP * gridDim.x) / rows;
  const unsigned row = threadIdx.x / chunks, chunk = threadIdx.x % chunks;
  A += (tileRow * BM + row % BM) * K + row / BM * panel + chunk * 8;
  B += row % BK * N + tileCol * BN + row / BK * panel + chunk * 8;
  C += tileRow * BM * N + tileCol * BN;

  float acc[down * across * 4] = {};
  unsigned a[2 * down * 4], b[2 * across * 2];
  const auto turned = [](unsigned r, unsigned c) { return (c ^ (r * chunks / 8 % chunks)) * 8; };
  unsigned short* const toA = As + row * panel + turned(row, chunk);
  unsigned short* const toB = Bs + row * panel + turned(row, chunk);
  const unsigned short* const fromA = As + (warpRow * WM + lane % 16) * panel;
  const unsigned short* const fromB = Bs + lane % 16 * panel;
  const auto one = [](unsigned short* to, const unsigned short* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
  };
  const auto copy = [&](unsigned slot) {
#pragma unroll
    for (unsigned load = 0; load < BM * BK / 8 / threads; ++load) {
      one(toA + slot * BM * BK + load * pass * panel,
          A + load * pass % BM * K + load * pass / BM * panel);
    }
#pragma unroll
    for (unsigned load = 0; load < BK * BN / 8 / threads; ++load) {
      one(toB + slot * BK * BN + load * pass * panel,
          B + load * pass % BK * N + load * pass / BK * panel);
    }
    A += BK;
    B += BK * N;
  };
  const auto fragments = [&](unsigned slot, unsigned set, unsigned k) {
#pragma unroll
    for (unsigned m = 0; m < down; ++m) {
      const unsigned short* const from = fromA + slot * BM * BK +
                                         (k / panel * BM + m * 16) * panel +
                                         turned(lane % 16, k % panel / 8 + lane / 16);
      unsigned* const r = a + (set * down + m) * 4;
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
                   : "memory");
    }
#pragma unroll
    for (unsigned n = 0; n < across; n += 2) {
      const unsigned col = warpCol * WN + n * 8;
      const unsigned short* const from = fromB + slot * BK * BN + (col / panel * BK + k) * panel +
                                         turned(lane % 16, col % panel / 8 + lane / 16);
      unsigned* const r = b + (set * across + n) * 2;
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
                   : "memory");
    }
  };

#pragma unroll
  for (unsigned stage = 0; stage < STAGES - 1; ++stage) {
    if (stage * BK < K) copy(stage);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
  __syncthreads();
  fragments(0, 0, 0);
  unsigned slot = 0, free = STAGES - 1;
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (unsigned k = 0; k < BK; k += 16) {
      if (k == BK - 16) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        if (k0 + BK < K) slot = slot == STAGES - 1 ? 0 : slot + 1;
      }
      fragments(slot, (k / 16 + 1) % 2, (k + 16) % BK);
#pragma unroll
      for (unsigned m = 0; m < down; ++m) {
        if (k == 0 && m == down / 2) {
          if (k0 + (STAGES - 1) * BK < K) copy(free);
          asm volatile("cp.async.commit_group;" ::: "memory");
          free = slot;
        }
        const unsigned* const x = a + (k / 16 % 2 * down + m) * 4;
#pragma unroll
        for (unsigned i = 0; i < across; ++i) {
          const unsigned n = m % 2 == 0 ? i : across - 1 - i;
          const unsigned* const y = b + (k / 16 % 2 * across + n) * 2;
          float* const c = acc + (m * across + n) * 4;
          asm volatile(MULTIPLY "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                       : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                       : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
        }
      }
    }
  }

#pragma unroll
  for (unsigned m = 0; m < down; ++m) {
    __syncthreads();
    unsigned short* const upper =
        Bs + (warpRow * 16 + lane / 4) * (BN + 8) + warpCol * WN + lane % 4 * 2;
    unsigned short* const lower = upper + 8 * (BN + 8);
#pragma unroll
    for (unsigned n = 0; n < across; ++n) {
      const float* const c = acc + (m * across + n) * 4;
      unsigned pair;
      asm(ROUND : "=r"(pair) : "f"(c[1]), "f"(c[0]));
      *reinterpret_cast<unsigned*>(upper + n * 8) = pair;
      asm(ROUND : "=r"(pair) : "f"(c[3]), "f"(c[2]));
      *reinterpret_cast<unsigned*>(lower + n * 8) = pair;
    }
    __syncthreads();
#pragma unroll
    for (unsigned store = 0; store < WN / 16; ++store) {
      const unsigned i = store * threads + threadIdx.x;
      const unsigned r = i / (BN / 8), col = i % (BN / 8) * 8;
      unsigned short* const to = C + (r / 16 * WM + m * 16 + r % 16) * N + col;
      const uint4 v = *reinterpret_cast<const uint4*>(Bs + r * (BN + 8) + col);
      *reinterpret_cast<uint4*>(to) = v;
    }
  }
}
