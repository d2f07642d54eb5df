// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T13 with plain pointers: the code that kernels/stages/tensor/hopper.cuh must match on a GPU,
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

// Which pieces of tiles a cluster computes: see kernels/device/pieces.cuh.
struct piece {
  unsigned tile = 0;
  unsigned first = 0, end = 0;
  unsigned number = 0;
};

struct pieces {
  unsigned tiles = 0, rounds = 0;
  unsigned cluster = 0, clusters = 0;
  unsigned split = 1;
  unsigned whole = 0;

  __device__ __forceinline__ pieces(unsigned tiles_, unsigned rounds_, unsigned cluster_,
                                    unsigned clusters_, unsigned split_)
      : tiles(tiles_),
        rounds(rounds_),
        cluster(cluster_),
        clusters(clusters_),
        split(split_),
        whole(tiles_) {
    const unsigned rest = tiles % clusters;
    if (split > 1 && rest * 4 <= clusters * 3) whole = tiles - rest;
  }

  __device__ __forceinline__ unsigned begin(unsigned its) const {
    const unsigned rest = tiles - whole, most = rest * (split < rounds ? split : rounds);
    const unsigned shares = most < clusters ? most : clusters;
    return its >= shares ? rest * rounds : rest * rounds * its / shares;
  }

  __device__ __forceinline__ piece at(unsigned number) const {
    const unsigned tile = cluster + number * clusters;
    if (tile < whole) return {tile, 0, rounds, number};
    if (whole == tiles || tile >= whole + 2 * clusters) return {0, 0, 0, number};
    unsigned from = begin(cluster);
    const unsigned to = begin(cluster + 1);

    if (tile >= whole + clusters) from = (from / rounds + 1) * rounds;
    if (from >= to) return {0, 0, 0, number};
    const unsigned which = from / rounds, first = from - which * rounds, left = first + (to - from);
    return {whole + which, first, left < rounds ? left : rounds, number};
  }

  __device__ __forceinline__ bool share(const piece& mine, unsigned other) const {
    const unsigned from = begin(other);
    return from < (mine.tile - whole + 1) * rounds && from < begin(other + 1);
  }
};

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

// acc += a b, or = a b without `keep`: 64 x 16 by 16 x BN, by the warpgroup. In order: accumulate,
// keep the signs of both factors, A is K-major, and B is not.
#define S4(i) "+f"(acc[i]), "+f"(acc[i + 1]), "+f"(acc[i + 2]), "+f"(acc[i + 3])
#define S16(i) S4(i), S4(i + 4), S4(i + 8), S4(i + 12)
#define S32(i) S16(i), S16(i + 16)
#if BN == 64
#define SUMS S32(0)
#define REGISTERS                                                                    \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define OPERANDS "%32, %33"
#define KEEP "%34"
#elif BN == 128
#define SUMS S32(0), S32(32)
#define REGISTERS                                                                    \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, " \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define OPERANDS "%64, %65"
#define KEEP "%66"
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
#define KEEP "%130"
#endif
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)

__device__ __forceinline__ void multiply(float* acc, unsigned long long a, unsigned long long b,
                                         unsigned keep) {
  asm volatile("{\n.reg .pred keep;\nsetp.ne.u32 keep, " KEEP
               ", 0;\n"
               "wgmma.mma_async.sync.aligned.m64n" TEXT(BN) "k16.f32." TYPE "." TYPE " {" REGISTERS
                                                            "}, " OPERANDS ", keep, 1, 1, 0, 1;\n}"
               : SUMS
               : "l"(a), "l"(b), "r"(keep));
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

__device__ __forceinline__ unsigned long long further(unsigned long long operand,
                                                      unsigned elements) {
  return (operand & 0xFFFFFFFF00000000ull) | (static_cast<unsigned>(operand) + elements / 8);
}

__device__ __forceinline__ void sums_to(float* p, const float* acc, unsigned count) {
#pragma unroll
  for (unsigned i = 0; i < count; i += 4)
    __stcg(reinterpret_cast<float4*>(p + i * 128),
           make_float4(acc[i], acc[i + 1], acc[i + 2], acc[i + 3]));
  __threadfence();
}

__device__ __forceinline__ void sums_from(float* acc, const float* p, unsigned count) {
#pragma unroll
  for (unsigned i = 0; i < count; i += 4) {
    const float4 v = __ldcg(reinterpret_cast<const float4*>(p + i * 128));
    acc[i] += v.x, acc[i + 1] += v.y, acc[i + 2] += v.z, acc[i + 3] += v.w;
  }
}

__device__ __forceinline__ void tell(float* flag) {
  asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
}

__device__ __forceinline__ void await(float* flag) {
  unsigned up = 0;
  while (!up) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(up) : "l"(flag) : "memory");
  asm volatile("st.relaxed.gpu.global.u32 [%0], 0;" ::"l"(flag) : "memory");
}

extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__((CONSUMERS + 1) * 128,
                                                                             1)
    hopper(unsigned M, unsigned N, unsigned K, const __grid_constant__ map A,
           const __grid_constant__ map B, const __grid_constant__ map C, float* __restrict__ left) {
  constexpr unsigned PANEL = SWIZZLE / 2;
  constexpr unsigned ROWS = BM / CONSUMERS, DOWN = ROWS / 64;
  constexpr unsigned COUNT = DOWN * BN / 2, THREADS = CONSUMERS * 128;
  constexpr unsigned CHUNKS = PANEL / 8, MASK = CHUNKS - 1;
  constexpr unsigned PANELS = DOWN * BN / PANEL, EACH = (PANELS + STAGES - 1) / STAGES;
  extern __shared__ __align__(1024) unsigned short As[];
  unsigned short* const Bs = As + STAGES * BM * BK;
  unsigned short* const Cs = Bs + STAGES * BK * BN;
  unsigned long long* const full =
      reinterpret_cast<unsigned long long*>(Cs + CONSUMERS * 2 * 64 * PANEL);
  unsigned long long* const empty = full + STAGES;

  const unsigned group = __reduce_or_sync(~0u, threadIdx.x / 128), warp = threadIdx.x / 32 % 4,
                 lane = threadIdx.x % 32;
  const unsigned rank = blockIdx.x % CLUSTER;
  const unsigned across = (N + BN - 1) / BN;
  const unsigned down = (M + CLUSTER * BM - 1) / (CLUSTER * BM);
  const unsigned rounds = (K + STAGES * BK - 1) / (STAGES * BK);
  const unsigned cluster = blockIdx.x / CLUSTER, clusters = gridDim.x / CLUSTER;
  const pieces all(across * down, rounds, cluster, clusters, SPLIT);
  const auto rowOf = [&](const unsigned tile) {
    const unsigned first = tile / (GROUP * across) * GROUP;
    const unsigned at = tile - first * across, rows = down - first;
    return ((first + (rows < GROUP ? at % rows : at % GROUP)) * CLUSTER + rank) * BM;
  };
  const auto columnOf = [&](const unsigned tile) {
    const unsigned first = tile / (GROUP * across) * GROUP;
    const unsigned at = tile - first * across, rows = down - first;
    return (rows < GROUP ? at / rows : at / GROUP) * BN;
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
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(32));
    if (threadIdx.x % 128 == 0) {
      unsigned parity = 1;
      for (piece now = all.at(0); now.first < now.end; now = all.at(now.number + 1)) {
        const unsigned row0 = rowOf(now.tile), col0 = columnOf(now.tile);
        for (unsigned round = now.first; round < now.end; ++round) {
#pragma unroll 1
          for (unsigned slot = 0, k0 = round * (STAGES * BK); slot < STAGES; ++slot, k0 += BK) {
            const unsigned kk =
                now.number % 2 != 0 ? (now.first + now.end) * STAGES * BK - BK - k0 : k0;
            sleep(empty + slot, parity);
            asm volatile(
                "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(full + slot)),
                "r"((BM + BN) * BK * 2)
                : "memory");

#pragma unroll
            for (unsigned k = 0; k < BK; k += PANEL) {
              box(As + (slot * BK + k) * BM, A, kk + k, row0, full + slot);
            }
            constexpr unsigned PART = BK / CLUSTER;

#pragma unroll
            for (unsigned n = 0; n < BN; n += PANEL) {
              boxes((1 << CLUSTER) - 1, Bs + (slot * BN + n) * BK + rank * PART * PANEL, B,
                    col0 + n, kk + rank * PART, full + slot);
            }
          }
          parity ^= 1;
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(CONSUMERS == 2 ? 232 : 160));
    float acc[COUNT] = {};
    unsigned done[COUNT / 2];
    unsigned toRow = 0, toCol = 0, held = 0;
    unsigned parity = 0;
    const auto a = operand(As + group * ROWS * PANEL, 16, 8 * SWIZZLE);
    const auto b = operand(Bs, BK * SWIZZLE, 8 * SWIZZLE);
    const unsigned row = warp * 16 + lane % 16;
    const auto store_panel = [&](const unsigned panel) {
      const auto to = Cs + (group * 2 + panel % 2) * 64 * PANEL;
      if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      meet_group();

#pragma unroll
      for (unsigned n = 0; n < PANEL; n += 16) {
        const unsigned chunk = row * CHUNKS + n / 8 + lane / 16;
        matrices(to + (chunk ^ (chunk / 8 & MASK)) * 8, done + (panel * PANEL + n) / 4);
      }
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      meet_group();
      if (threadIdx.x % 128 == 0) {
        leave_box(C, toCol + panel * PANEL % BN, toRow + panel * PANEL / BN * 64, to);
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      }
    };
    const auto leave = [&](const unsigned slot) {
      if (threadIdx.x % 128 < CLUSTER)
        asm volatile(
            "{\n.reg .b32 its;\nmapa.shared::cluster.u32 its, %0, %1;\n"
            "mbarrier.arrive.shared::cluster.b64 _, [its];\n}" ::"r"(at(empty + slot)),
            "r"(threadIdx.x % 128)
            : "memory");
    };

    piece next;
    for (piece now = all.at(0); now.first < now.end; now = next) {
      for (unsigned round = now.first; round < now.end; ++round) {
#pragma unroll
        for (unsigned slot = 0, k0 = round * (STAGES * BK); slot < STAGES; ++slot, k0 += BK) {
          sleep(full + slot, parity);
          asm volatile("wgmma.fence.sync.aligned;" ::: "memory");

#pragma unroll
          for (unsigned k = 0; k < BK; k += 16) {
#pragma unroll
            for (unsigned m = 0; m < DOWN; ++m) {
              const unsigned first = slot * BM * BK + (k / PANEL * BM + m * 64) * PANEL + k % PANEL;
              multiply(acc + m * BN / 2, further(a, first), further(b, slot * BK * BN + k * PANEL),
                       slot != 0 || k != 0 || round != now.first);
            }
          }
          asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
          if (slot != 0 || round != now.first) {
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            leave(slot == 0 ? STAGES - 1 : slot - 1);
          }
          if (round == now.first && held) {
#pragma unroll
            for (unsigned i = 0; i < EACH; ++i) {
              if (slot * EACH + i < PANELS) store_panel(slot * EACH + i);
            }
          }
        }
        parity ^= 1;
      }
      toRow = rowOf(now.tile) + group * ROWS;
      toCol = columnOf(now.tile);
      next = all.at(now.number + 1);
      held = now.first == 0;
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      leave(STAGES - 1);
      const auto place = [&](const unsigned its) {
        return (its * CLUSTER + rank) * CONSUMERS + group;
      };
      const auto flags = left + clusters * CLUSTER * THREADS * COUNT;
      if (!held) {
        sums_to(left + place(cluster) * 128 * COUNT + threadIdx.x % 128 * 4, acc, COUNT);
        meet_group();
        if (threadIdx.x % 128 == 0) tell(flags + place(cluster));
      } else {
        for (unsigned other = cluster + 1; now.end < rounds && all.share(now, other); ++other) {
          if (threadIdx.x % 128 == 0) await(flags + place(other));
          meet_group();
          sums_from(acc, left + place(other) * 128 * COUNT + threadIdx.x % 128 * 4, COUNT);
        }

#pragma unroll
        for (unsigned i = 0; i < COUNT / 2; ++i) *(done + i) = rounded(acc[2 * i], acc[2 * i + 1]);
      }
    }
    if (held) {
#pragma unroll
      for (unsigned panel = 0; panel < PANELS; ++panel) store_panel(panel);
    }
    if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}
