// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T2 with plain pointers: the code that kernels/stages/tensor/swizzled.cuh must match on a GPU,
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
    swizzled(unsigned M, unsigned N, unsigned K, const unsigned short* __restrict__ A,
             const unsigned short* __restrict__ B, unsigned short* __restrict__ C) {
#ifdef DYNAMIC_SHARED
  extern __shared__ float4 shared[];
  unsigned short* const As = reinterpret_cast<unsigned short*>(shared);
  unsigned short* const Bs = As + BM * BK;
#else
  __shared__ __align__(16) unsigned short As[BM * BK];
  __shared__ __align__(16) unsigned short Bs[BK * BN];
#endif
  constexpr unsigned threads = (BM / WM) * (BN / WN) * 32;
  constexpr unsigned panelA = SWIZZLE == 0 ? BK : SWIZZLE / 2,
                     panelB = SWIZZLE == 0 ? BN : SWIZZLE / 2;
  constexpr unsigned acrossA = panelA / 8, acrossB = panelB / 8;
  constexpr unsigned mask = SWIZZLE == 0 ? 0 : SWIZZLE / 16 - 1;
  constexpr unsigned down = WM / 16, across = WN / 8;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;

  float acc[down * across * 4] = {};
  unsigned a[down * 4], b[across * 2];
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (unsigned pass = 0; pass < BM * BK / 8 / threads; ++pass) {
      const unsigned i = pass * threads + threadIdx.x;
      const unsigned row = i / acrossA % BM, col = i / acrossA / BM * panelA + i % acrossA * 8;
      *reinterpret_cast<uint4*>(As + (i ^ (i / 8 & mask)) * 8) =
          *reinterpret_cast<const uint4*>(A + row * K + col);
    }
#pragma unroll
    for (unsigned pass = 0; pass < BK * BN / 8 / threads; ++pass) {
      const unsigned i = pass * threads + threadIdx.x;
      const unsigned row = i / acrossB % BK, col = i / acrossB / BK * panelB + i % acrossB * 8;
      *reinterpret_cast<uint4*>(Bs + (i ^ (i / 8 & mask)) * 8) =
          *reinterpret_cast<const uint4*>(B + row * N + col);
    }
    A += BK;
    B += BK * N;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < BK; k += 16) {
#pragma unroll
      for (unsigned m = 0; m < down; ++m) {
        const unsigned row = k / panelA * BM + warpRow * WM + m * 16 + lane % 16;
        const unsigned chunk = row * acrossA + k % panelA / 8 + lane / 16;
        const unsigned short* const from = As + (chunk ^ (chunk / 8 & mask)) * 8;
        unsigned* const r = a + m * 4;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
                     : "memory");
      }
#pragma unroll
      for (unsigned n = 0; n < across; n += 2) {
        const unsigned col = warpCol * WN + n * 8, row = col / panelB * BK + k + lane % 16;
        const unsigned chunk = row * acrossB + col % panelB / 8 + lane / 16;
        const unsigned short* const from = Bs + (chunk ^ (chunk / 8 & mask)) * 8;
        unsigned* const r = b + n * 2;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
                     : "memory");
      }
#pragma unroll
      for (unsigned m = 0; m < down; ++m) {
#pragma unroll
        for (unsigned n = 0; n < across; ++n) {
          float* const c = acc + (m * across + n) * 4;
          asm volatile(MULTIPLY "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                       : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                       : "r"(a[m * 4]), "r"(a[m * 4 + 1]), "r"(a[m * 4 + 2]), "r"(a[m * 4 + 3]),
                         "r"(b[n * 2]), "r"(b[n * 2 + 1]));
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (unsigned m = 0; m < down; ++m) {
    unsigned short* const upper = C + (m * 16 + lane / 4) * N + lane % 4 * 2;
    unsigned short* const lower = upper + 8 * N;
#pragma unroll
    for (unsigned n = 0; n < across; ++n) {
      const float* c = acc + (m * across + n) * 4;
      unsigned pair;
      asm(ROUND : "=r"(pair) : "f"(c[1]), "f"(c[0]));
      *reinterpret_cast<unsigned*>(upper + n * 8) = pair;
      asm(ROUND : "=r"(pair) : "f"(c[3]), "f"(c[2]));
      *reinterpret_cast<unsigned*>(lower + n * 8) = pair;
    }
  }
}
