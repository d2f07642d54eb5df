// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T1 with plain pointers: the code that kernels/stages/tensor/mma.cuh must match on a GPU,
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
    mma(unsigned M, unsigned N, unsigned K, const unsigned short* __restrict__ A,
        const unsigned short* __restrict__ B, unsigned short* __restrict__ C) {
  __shared__ __align__(16) unsigned short As[BM * BK];
  __shared__ __align__(16) unsigned short Bs[BK * BN];
  constexpr unsigned threads = (BM / WM) * (BN / WN) * 32;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;

  constexpr unsigned down = WM / 16, across = WN / 8;
  float acc[down * across * 4] = {};
  unsigned a[down * 4], b[across * 2];
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (unsigned pass = 0; pass < BM * BK / 8 / threads; ++pass) {
      const unsigned i = (pass * threads + threadIdx.x) * 8;
      *reinterpret_cast<uint4*>(As + i) =
          *reinterpret_cast<const uint4*>(A + i / BK * K + i % BK);
    }
#pragma unroll
    for (unsigned pass = 0; pass < BK * BN / 8 / threads; ++pass) {
      const unsigned i = (pass * threads + threadIdx.x) * 8;
      *reinterpret_cast<uint4*>(Bs + i) =
          *reinterpret_cast<const uint4*>(B + i / BN * N + i % BN);
    }
    A += BK;
    B += BK * N;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < BK; k += 16) {
#pragma unroll
      for (unsigned m = 0; m < down; ++m) {
        const unsigned row = warpRow * WM + m * 16 + lane % 16;
        const unsigned from = static_cast<unsigned>(
            __cvta_generic_to_shared(As + row * BK + k + lane / 16 * 8));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a[m * 4]), "=r"(a[m * 4 + 1]), "=r"(a[m * 4 + 2]), "=r"(a[m * 4 + 3])
                     : "r"(from)
                     : "memory");
      }
#pragma unroll
      for (unsigned n = 0; n < across; n += 2) {
        const unsigned col = warpCol * WN + n * 8 + lane / 16 * 8;
        const unsigned from =
            static_cast<unsigned>(__cvta_generic_to_shared(Bs + (k + lane % 16) * BN + col));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(b[n * 2]), "=r"(b[n * 2 + 1]), "=r"(b[n * 2 + 2]), "=r"(b[n * 2 + 3])
                     : "r"(from)
                     : "memory");
      }
#pragma unroll
      for (unsigned m = 0; m < down; ++m) {
#pragma unroll
        for (unsigned n = 0; n < across; ++n) {
          float* c = acc + (m * across + n) * 4;
          asm volatile(MULTIPLY
                       "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                       : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                       : "r"(a[m * 4]), "r"(a[m * 4 + 1]), "r"(a[m * 4 + 2]),
                         "r"(a[m * 4 + 3]), "r"(b[n * 2]), "r"(b[n * 2 + 1]));
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
