// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T12 with plain pointers: the code that kernels/stages/tensor/stored.cuh must match on a GPU,
// instruction by instruction (tests/gpu/plain_pointers_test.cpp). Tile parameters are macros, and
// so is ELEMENT.
#define bf16 0
#define fp16 1
#if ELEMENT == fp16
#define TYPE "f16"
#define ROUND "cvt.rn.f16x2.f32 %0, %1, %2;"
#else
#define TYPE "bf16"
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

// acc += a b: 64 x 16 by 16 x BN, by the warpgroup. In order: accumulate, keep the signs of both
// factors, A is K-major, and B is not.
#define S4(i) "+f"(acc[i]), "+f"(acc[i + 1]), "+f"(acc[i + 2]), "+f"(acc[i + 3])
#define S16(i) S4(i), S4(i + 4), S4(i + 8), S4(i + 12)
#define S32(i) S16(i), S16(i + 16)
#if BN == 64
#define SUMS S32(0)
#define REGISTERS                                                                    \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define OPERANDS "%32, %33"
#elif BN == 128
#define SUMS S32(0), S32(32)
#define REGISTERS                                                                    \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, " \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define OPERANDS "%64, %65"
#elif BN == 256
#define SUMS S32(0), S32(32), S32(64), S32(96)
#define REGISTERS                                                                        \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "     \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "     \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "     \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, "     \
  "%66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "     \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, "     \
  "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "   \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, " \
  "%126, %127"
#define OPERANDS "%128, %129"
#endif
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)

__device__ __forceinline__ void multiply(float* acc, unsigned long long a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n" TEXT(BN) "k16.f32." TYPE "." TYPE " {" REGISTERS
                                                            "}, " OPERANDS ", 1, 1, 1, 0, 1;"
               : SUMS
               : "l"(a), "l"(b));
}

// The matrix descriptor of an operand: address, distances in bytes, and the swizzle pattern.
__device__ __forceinline__ unsigned long long operand(const unsigned short* p, unsigned lead,
                                                      unsigned stride) {
  const unsigned long long pattern = SWIZZLE == 128 ? 1 : SWIZZLE == 64 ? 2 : 3;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p));
  return static_cast<unsigned long long>((at & 0x3FFFF) >> 4) |
         static_cast<unsigned long long>(lead >> 4) << 16 |
         static_cast<unsigned long long>(stride >> 4) << 32 | pattern << 62;
}

__device__ __forceinline__ unsigned at(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Waits until the phase of this parity has ended.
__device__ __forceinline__ void sleep(unsigned long long* barrier, unsigned parity) {
  for (unsigned over = 0; over == 0;) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(over)
        : "r"(at(barrier)), "r"(parity)
        : "memory");
  }
}

// Two accumulators as two 16-bit elements.
__device__ __forceinline__ unsigned rounded(float low, float high) {
  unsigned pair;
  asm(ROUND : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

// The same for all blocks in `ranks`, one bit each.
__device__ __forceinline__ void boxes(unsigned ranks, unsigned short* to, const map& m, unsigned x,
                                      unsigned y, unsigned long long* full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
      "cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(at(to)),
      "l"(&m), "r"(x), "r"(y), "r"(at(full)), "h"(static_cast<unsigned short>(ranks))
      : "memory");
}

// Four matrices of 8 x 8, one per register, to the rows that the lanes name.
__device__ __forceinline__ void matrices(unsigned short* to, const unsigned* r) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at(to)),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
}

// TMA store of a box of C.
__device__ __forceinline__ void leave_box(const map& m, unsigned x, unsigned y,
                                          const unsigned short* from) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&m),
      "r"(x), "r"(y), "r"(at(from))
      : "memory");
}

__device__ __forceinline__ void meet_group() {
  asm volatile("bar.sync %0, 128;" ::"r"(threadIdx.x / 128 + 1) : "memory");
}

extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1)
    __launch_bounds__((CONSUMERS + 1) * 128, 1)
        stored(unsigned M, unsigned N, unsigned K, const __grid_constant__ map A,
               const __grid_constant__ map B, const __grid_constant__ map C) {
  constexpr unsigned PANEL = SWIZZLE / 2;
  constexpr unsigned ROWS = BM / CONSUMERS, DOWN = ROWS / 64;
  constexpr unsigned CHUNKS = PANEL / 8, MASK = CHUNKS - 1;
  extern __shared__ __align__(1024) unsigned short As[];
  unsigned short* const Bs = As + STAGES * BM * BK;
  unsigned short* const Cs = Bs + STAGES * BK * BN;
  unsigned long long* const full = reinterpret_cast<unsigned long long*>(Cs + CONSUMERS * 64 * BN);
  unsigned long long* const empty = full + STAGES;

  const unsigned group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const unsigned rank = blockIdx.x % CLUSTER;
  const unsigned across = (N + BN - 1) / BN;
  const unsigned down = (M + CLUSTER * BM - 1) / (CLUSTER * BM), tiles = across * down;
  const auto rowOf = [&](const unsigned tile) {
    const unsigned first = tile / (GROUP * across) * GROUP;
    const unsigned rows = down - first < GROUP ? down - first : GROUP;
    return ((first + tile % (GROUP * across) % rows) * CLUSTER + rank) * BM;
  };
  const auto columnOf = [&](const unsigned tile) {
    const unsigned first = tile / (GROUP * across) * GROUP;
    const unsigned rows = down - first < GROUP ? down - first : GROUP;
    return tile % (GROUP * across) / rows * BN;
  };

  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned slot = 0; slot < STAGES; ++slot) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(full + slot)), "r"(1)
                   : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(empty + slot)),
                   "r"(CONSUMERS * CLUSTER)
                   : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");

  if (group == CONSUMERS) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(CONSUMERS == 1   ? 40
                                                             : CONSUMERS == 2 ? 24
                                                                              : 32));
    if (threadIdx.x % 128 == 0) {
      unsigned slot = 0, parity = 1;
      for (unsigned tile = blockIdx.x / CLUSTER; tile < tiles; tile += gridDim.x / CLUSTER) {
        const unsigned row0 = rowOf(tile), col0 = columnOf(tile);
        for (unsigned k0 = 0; k0 < K; k0 += BK) {
          sleep(empty + slot, parity);
          asm volatile(
              "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(full + slot)),
              "r"((BM + BN) * BK * 2)
              : "memory");

#pragma unroll
          for (unsigned k = 0; k < BK; k += PANEL) {
            box(As + (slot * BK + k) * BM, A, k0 + k, row0, full + slot);
          }
          constexpr unsigned PART = BK / CLUSTER;

#pragma unroll
          for (unsigned n = 0; n < BN; n += PANEL) {
            boxes((1 << CLUSTER) - 1, Bs + (slot * BN + n) * BK + rank * PART * PANEL, B, col0 + n,
                  k0 + rank * PART, full + slot);
          }
          slot = slot == STAGES - 1 ? 0 : slot + 1;
          parity ^= slot == 0;
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(CONSUMERS == 1   ? 232
                                                             : CONSUMERS == 2 ? 240
                                                                              : 160));
    unsigned slot = 0, parity = 0;
    for (unsigned tile = blockIdx.x / CLUSTER; tile < tiles; tile += gridDim.x / CLUSTER) {
      float acc[DOWN * BN / 2] = {};
      for (unsigned k0 = 0; k0 < K; k0 += BK) {
        sleep(full + slot, parity);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");

#pragma unroll
        for (unsigned k = 0; k < BK; k += 16) {
          const auto b = operand(Bs + slot * BK * BN + k * PANEL, BK * SWIZZLE, 8 * SWIZZLE);

#pragma unroll
          for (unsigned m = 0; m < DOWN; ++m) {
            const auto first =
                As + slot * BM * BK + (k / PANEL * BM + group * ROWS + m * 64) * PANEL;
            multiply(acc + m * BN / 2, operand(first + k % PANEL, 16, 8 * SWIZZLE), b);
          }
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (threadIdx.x % 128 < CLUSTER)
          asm volatile(
              "{\n.reg .b32 its;\nmapa.shared::cluster.u32 its, %0, %1;\n"
              "mbarrier.arrive.shared::cluster.b64 _, [its];\n}" ::"r"(at(empty + slot)),
              "r"(threadIdx.x % 128)
              : "memory");
        slot = slot == STAGES - 1 ? 0 : slot + 1;
        parity ^= slot == 0;
      }

      const auto mine = Cs + group * 64 * BN;
      const unsigned row = warp * 16 + lane % 16;
      const unsigned row0 = rowOf(tile) + group * ROWS, col0 = columnOf(tile);

#pragma unroll
      for (unsigned m = 0; m < DOWN; ++m) {
        if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        meet_group();

#pragma unroll
        for (unsigned n = 0; n < BN; n += 16) {
          const unsigned i = m * BN / 2 + n / 2, chunk = row * CHUNKS + n % PANEL / 8 + lane / 16;
          unsigned c[4];

#pragma unroll
          for (unsigned part = 0; part < 4; ++part)
            *(c + part) = rounded(acc[i + 2 * part], acc[i + 2 * part + 1]);
          matrices(mine + n / PANEL * 64 * PANEL + (chunk ^ (chunk / 8 & MASK)) * 8, c);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        meet_group();
        if (threadIdx.x % 128 == 0) {
#pragma unroll
          for (unsigned n = 0; n < BN; n += PANEL)
            leave_box(C, col0 + n, row0 + m * 64, mine + n * 64);
          asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
      }
    }
    if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}
