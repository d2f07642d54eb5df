// SPDX-License-Identifier: GPL-3.0-or-later
// Five kernels that do one thing each, as fast as the device can: what ceilings.cpp measures. All
// take the same arguments. Each writes its sum if the sum has an impossible value, so that the
// compiler cannot remove anything. THREADS and STEP come from ceilings.cpp.

typedef const float4* From;

__device__ __forceinline__ void keep(float4* to, float sum) {
  if (sum == 1.2345e30f) to[0].x = sum;
}

__device__ __forceinline__ float sumOf(const float4& v) {
  return v.x + v.y + v.z + v.w;
}

// STEP independent sums, so that no multiply-add waits for the previous one. STEP * STEP of them
// per round.
extern "C" __global__ void __launch_bounds__(THREADS)
    ceiling_fma(From from, float4* to, unsigned long long count, unsigned int rounds) {
  const float x = 1.0f + 1e-9f * threadIdx.x, y = 1e-9f * blockIdx.x;
  float sums[STEP];
#pragma unroll
  for (int i = 0; i < STEP; ++i) sums[i] = i;
#pragma unroll 1
  for (unsigned int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int j = 0; j < STEP; ++j) {
#pragma unroll
      for (int i = 0; i < STEP; ++i) sums[i] = fmaf(sums[i], x, y);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < STEP; ++i) sum += sums[i];
  keep(to, sum);
}

// The peak of mma.sync with operands in registers: STEP independent products of 16 x 8 x 16, STEP *
// STEP of them per round and warp. Before compute capability 8.0 there is no bf16.
extern "C" __global__ void __launch_bounds__(THREADS)
    ceiling_mma(From from, float4* to, unsigned long long count, unsigned int rounds) {
#if __CUDA_ARCH__ >= 800
  // Numbers from 1 to 2 whose other bits differ between lanes: zeros would draw less power.
  unsigned int a[4], b[2];
#pragma unroll
  for (int i = 0; i < 4; ++i) a[i] = 0x3f803f80u | ((threadIdx.x * 2654435761u >> i) & 0x007f007fu);
#pragma unroll
  for (int i = 0; i < 2; ++i) b[i] = 0x3f803f80u | ((threadIdx.x * 2246822519u >> i) & 0x007f007fu);
  float sums[STEP][4];
#pragma unroll
  for (int i = 0; i < STEP; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) sums[i][j] = i + j;
  }
#pragma unroll 1
  for (unsigned int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int j = 0; j < STEP; ++j) {
#pragma unroll
      for (int i = 0; i < STEP; ++i) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]), "+f"(sums[i][3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      }
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < STEP; ++i) sum += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
  keep(to, sum);
#endif
}

// Copies `count` float4, `rounds` times. A buffer far larger than L2 passes through DRAM twice.
extern "C" __global__ void __launch_bounds__(THREADS)
    ceiling_dram(From from, float4* to, unsigned long long count, unsigned int rounds) {
  const unsigned long long threads = (unsigned long long)gridDim.x * THREADS;
  for (unsigned int round = 0; round < rounds; ++round) {
    unsigned long long i = (unsigned long long)blockIdx.x * THREADS + threadIdx.x;
    for (; i + 3 * threads < count; i += 4 * threads) {
      const float4 a = from[i], b = from[i + threads], c = from[i + 2 * threads], d = from[i + 3 * threads];
      to[i] = a;
      to[i + threads] = b;
      to[i + 2 * threads] = c;
      to[i + 3 * threads] = d;
    }
    for (; i < count; i += threads) to[i] = from[i];
  }
}

// Bypasses L1 (.cg). `volatile` keeps the compiler from loading once for all rounds. The values are
// summed, so that the assembler cannot remove the loads either.
__device__ __forceinline__ float4 loadPastL1(From p) {
  float4 v;
  asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
  return v;
}

// Every block reads all `count` float4 (a multiple of 4 * THREADS) `rounds` times, each from
// another starting point.
extern "C" __global__ void __launch_bounds__(THREADS)
    ceiling_l2(From from, float4* to, unsigned long long count, unsigned int rounds) {
  const unsigned int all = (unsigned int)count, step = 4 * THREADS;
  unsigned int at = blockIdx.x * (all / step / gridDim.x + 1) * step % all;
  float sum = 0;
  const unsigned int steps = all / step * rounds;
#pragma unroll 4
  for (unsigned int i = 0; i < steps; ++i) {
    From p = from + at + threadIdx.x;
    const float4 a = loadPastL1(p), b = loadPastL1(p + THREADS), c = loadPastL1(p + 2 * THREADS),
                 d = loadPastL1(p + 3 * THREADS);
    sum += sumOf(a) + sumOf(b) + sumOf(c) + sumOf(d);
    at += step;
    if (at >= all) at = 0;
  }
  keep(to, sum);
}

// STEP loads of 128 bits per round and thread, neighbours side by side: the banks are used equally.
extern "C" __global__ void __launch_bounds__(THREADS)
    ceiling_shared(From from, float4* to, unsigned long long count, unsigned int rounds) {
  __shared__ float4 words[2 * THREADS];
  for (unsigned int i = threadIdx.x; i < 2 * THREADS; i += THREADS) words[i] = make_float4(i, 1, 2, 3);
  __syncthreads();
  const unsigned int base = (unsigned int)__cvta_generic_to_shared(words);
  unsigned int at = threadIdx.x * 16;
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 1
  for (unsigned int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < STEP; ++i) {
      float4 v;
      asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                   : "r"(base + (at + i * 512) % (2 * THREADS * 16)));
      sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    at += 16 * 32;  // the next round reads other words, so that no load equals the previous one
  }
  keep(to, sumOf(sum));
}
