// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T4 with plain pointers: the code that kernels/stages/tensor/tma.cuh must match on a GPU,
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

struct __align__(64) map {
  unsigned long long opaque[16];
};

// TMA load of the box of `m` at column x and row y to shared memory at `to`; `full` counts bytes.
__device__ __forceinline__ void box(unsigned short* to, const map& m, unsigned x, unsigned y,
                                    unsigned long long* full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
      "{%2, %3}], [%4];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(&m), "r"(x), "r"(y), "r"(static_cast<unsigned>(__cvta_generic_to_shared(full)))
      : "memory");
}

extern "C" __global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    tma(unsigned M, unsigned N, unsigned K, const __grid_constant__ map A,
        const __grid_constant__ map B, unsigned short* __restrict__ C) {
  extern __shared__ __align__(1024) unsigned short As[];
  unsigned short* const Bs = As + BM * BK;
  unsigned long long* const full = reinterpret_cast<unsigned long long*>(Bs + BK * BN);
  constexpr unsigned panel = SWIZZLE / 2, chunks = panel / 8;
  constexpr unsigned down = WM / 16, across = WN / 8;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
  const unsigned row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

  float acc[down * across * 4] = {};
  unsigned a[down * 4], b[across * 2];
  const auto turned = [&](const unsigned row, const unsigned chunk) {
    return (chunk ^ (row * chunks / 8 % chunks)) * 8;
  };
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(full))),
                 "r"(1)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  unsigned parity = 0;
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                       static_cast<unsigned>(__cvta_generic_to_shared(full))),
                   "r"((BM + BN) * BK * 2)
                   : "memory");
#pragma unroll
      for (unsigned k = 0; k < BK; k += panel) box(As + k * BM, A, k0 + k, row0, full);
#pragma unroll
      for (unsigned n = 0; n < BN; n += panel) box(Bs + n * BK, B, col0 + n, k0, full);
    }
    for (unsigned over = 0; over == 0;) {
      asm volatile(
          "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p;\n}"
          : "=r"(over)
          : "r"(static_cast<unsigned>(__cvta_generic_to_shared(full))), "r"(parity)
          : "memory");
    }
    parity ^= 1;
#pragma unroll
    for (unsigned k = 0; k < BK; k += 16) {
#pragma unroll
      for (unsigned m = 0; m < down; ++m) {
        const unsigned row = warpRow * WM + m * 16 + lane % 16;
        const unsigned short* const from =
            As + (k / panel * BM + row) * panel + turned(row, k % panel / 8 + lane / 16);
        unsigned* const r = a + m * 4;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
                     : "memory");
      }
#pragma unroll
      for (unsigned n = 0; n < across; n += 2) {
        const unsigned col = warpCol * WN + n * 8, row = k + lane % 16;
        const unsigned short* const from =
            Bs + (col / panel * BK + row) * panel + turned(row, col % panel / 8 + lane / 16);
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
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
  }

#pragma unroll
  for (unsigned m = 0; m < down; ++m) {
    const unsigned row = row0 + warpRow * WM + m * 16 + lane / 4;
#pragma unroll
    for (unsigned n = 0; n < across; ++n) {
      const float* c = acc + (m * across + n) * 4;
      const unsigned col = col0 + warpCol * WN + n * 8 + lane % 4 * 2;
      unsigned pair;
      if (row < M && col < N) {
        asm(ROUND : "=r"(pair) : "f"(c[1]), "f"(c[0]));
        *reinterpret_cast<unsigned*>(C + row * N + col) = pair;
      }
      if (row + 8 < M && col < N) {
        asm(ROUND : "=r"(pair) : "f"(c[3]), "f"(c[2]));
        *reinterpret_cast<unsigned*>(C + (row + 8) * N + col) = pair;
      }
    }
  }
}
