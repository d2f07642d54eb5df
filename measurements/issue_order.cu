// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-kernels that show which warp a scheduler selects, and how long a barrier holds a warp
// (docs/hardware.md, rules 75 and 84). The model of an iteration uses the results
// (kernels/rewrite/turn_time.cpp). On a machine with a Hopper GPU:
//
//   nvcc -std=c++17 -O3 -arch=sm_90 measurements/issue_order.cu -o issue_order && ./issue_order
//
// Figures are cycles of the last of three launches, on the SM of the first block.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

__device__ __forceinline__ unsigned now() {
  unsigned t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t));
  return t;
}
__device__ __forceinline__ void multiplyAdd(float& sum, float a, float b) {
  asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(a), "f"(b));
}

// --- which warp goes first: rounds of 16 x 64 multiply-adds. With a pause, the last of each 64 needs the one before.

constexpr int kSums = 32, kRounds = 12;

template <bool pause>
__global__ void __launch_bounds__(512) order(float x, unsigned* sm, unsigned* first, unsigned* last) {
  float sums[kSums];
  for (int i = 0; i < kSums; ++i) sums[i] = x * i;
  const float a = x + 1, b = x + 2;
  __syncthreads();
  const unsigned from = now();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < 16 * 64; ++i) multiplyAdd(sums[pause && i % 64 == 63 ? (i - 1) % kSums : i % kSums], a, b);
  }
  const unsigned to = now();
  float all = 0;
  for (int i = 0; i < kSums; ++i) all += sums[i];
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (threadIdx.x % 32 == 0) {
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm[warp]));
    first[warp] = from;
    last[warp] = to + (all == 123.F ? 1 : 0);
  }
}

template <bool pause>
void whoGoesFirst(int sms, int blocks, int warps) {
  const int all = sms * blocks * warps;
  unsigned *sm, *first, *last;
  check(cudaMallocManaged(&sm, all * sizeof *sm), "cudaMallocManaged");
  check(cudaMallocManaged(&first, all * sizeof *first), "cudaMallocManaged");
  check(cudaMallocManaged(&last, all * sizeof *last), "cudaMallocManaged");
  // Enough shared memory that exactly this many blocks fit.
  const int shared = std::min(220000 / blocks - 2048, 220000);
  check(cudaFuncSetAttribute(order<pause>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
  for (int i = 0; i < 3; ++i) order<pause><<<sms * blocks, warps * 32, shared>>>(0, sm, first, last);
  check(cudaDeviceSynchronize(), "order");
  std::printf("%d blocks of %2d warps, %s: ends after", blocks, warps, pause ? "with a pause" : "without one ");
  unsigned begin = 0;
  bool any = false;
  for (int i = 0; i < all; ++i)
    if (sm[i] == sm[0] && (!any || static_cast<int>(first[i] - begin) < 0)) begin = first[i], any = true;
  for (int i = 0; i < all; ++i)  // of one scheduler
    if (sm[i] == sm[0] && i % warps % 4 == 0)
      std::printf("  block %d warp %d %u", i / warps, i % warps, last[i] - begin);
  std::printf("\n");
  cudaFree(sm), cudaFree(first), cudaFree(last);
}

// --- how long a barrier holds a warp: one warp comes 3,000 cycles late, and the other one issues
// 96 multiply-adds after its barrier, one instruction of another kind, and 16 more.

enum Kind { Nothing, SharedLoad, SharedStore, GlobalLoad, SpecialRegister, Barrier, Commit, Special, Kinds };
const char* const kNames[Kinds] = {"nothing",          "shared load", "shared store",     "global load",
                                   "special register", "barrier",     "commit of copies", "MUFU"};

template <Kind kind>
__global__ void __launch_bounds__(64) held(float x, const float* global, unsigned* times) {
  __shared__ float shared[1024];
  volatile float* const values = shared;
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) values[i] = x;
  __syncthreads();
  float sums[16];
  for (int i = 0; i < 16; ++i) sums[i] = values[i + threadIdx.x];
  float a = values[threadIdx.x + 20];
  const float b = values[threadIdx.x + 40];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(shared)) + threadIdx.x * 4;
  unsigned late = 0;
  float chain = x;
  if (threadIdx.x < 32) {
    for (int i = 0; i < 750; ++i) multiplyAdd(chain, chain, a);
    late = now();
  }
  // Everything that the code after the barrier reads is in registers now.
  for (int i = 0; i < 16; ++i) asm volatile("add.f32 %0, %0, %1;" : "+f"(sums[i]) : "f"(b));
  asm volatile("add.f32 %0, %0, %0;" : "+f"(a));
  __syncwarp();
  asm volatile("bar.sync 0;" ::: "memory");
  for (int i = 0; i < 96; ++i) multiplyAdd(sums[i % 16], a, b);
  const unsigned before = now();
  float loaded = 0;
  unsigned word = 0;
  if (kind == SharedLoad) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(loaded) : "r"(at));
  if (kind == SharedStore) asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(a));
  if (kind == GlobalLoad) asm volatile("ld.global.f32 %0, [%1];" : "=f"(loaded) : "l"(global));
  if (kind == SpecialRegister) asm volatile("mov.u32 %0, %%laneid;" : "=r"(word));
  if (kind == Barrier) asm volatile("bar.sync 0;" ::: "memory");
  if (kind == Commit) asm volatile("cp.async.commit_group;" ::: "memory");
  if (kind == Special) asm volatile("ex2.approx.f32 %0, %1;" : "=f"(loaded) : "f"(a));
  const unsigned behind = now();
  for (int i = 0; i < 16; ++i) multiplyAdd(sums[i % 16], a, b);
  __syncthreads();
  float all = chain + loaded + static_cast<float>(word);
  for (int i = 0; i < 16; ++i) all += sums[i];
  values[threadIdx.x] = all;
  if (threadIdx.x == 0) times[0] = late;
  if (threadIdx.x == 32) times[1] = before, times[2] = behind;
}

template <Kind kind>
void whatIsHeld() {
  unsigned* times;
  float* global;
  check(cudaMallocManaged(&times, 3 * sizeof *times), "cudaMallocManaged");
  check(cudaMalloc(&global, 4096), "cudaMalloc");
  for (int i = 0; i < 3; ++i) held<kind><<<1, 64>>>(0, global, times);
  check(cudaDeviceSynchronize(), "held");
  std::printf("%-17s the multiply-adds end %6d cycles, and it is issued %6d cycles after the late warp's arrival\n",
              kNames[kind], static_cast<int>(times[1] - times[0]), static_cast<int>(times[2] - times[0]));
  cudaFree(times), cudaFree(global);
}

template <int... kind>
void all(std::integer_sequence<int, kind...>) {
  (whatIsHeld<static_cast<Kind>(kind)>(), ...);
}

}  // namespace

int main() {
  int sms = 0;
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "no GPU");
  std::printf("Which warp goes first\n");
  whoGoesFirst<false>(sms, 1, 8);
  for (const int warps : {8, 12, 16}) whoGoesFirst<true>(sms, 1, warps);
  for (const int blocks : {2, 3, 4}) whoGoesFirst<true>(sms, blocks, 4);
  whoGoesFirst<true>(sms, 2, 8);
  std::printf("What a barrier holds\n");
  all(std::make_integer_sequence<int, Kinds>{});
}
