// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-kernels for the cost of memory instructions on their path (docs/hardware.md, rules 81 and
// 83). The model of an iteration uses the results (kernels/machine/latencies.h). On
// a machine with a Hopper GPU:
//
//   nvcc -std=c++17 -O3 -arch=sm_90 measurements/memory_ways.cu -o memory_ways && ./memory_ways
//
// All SMs run one block each; a figure is the median over the SMs, of the last of three launches.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kSharedBytes = 40960;
constexpr std::size_t kFloats = std::size_t{1} << 26;

void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

__device__ __forceinline__ long long now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}
__device__ __forceinline__ void copy4(unsigned to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void copy16(unsigned to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ float4 load16(const float* from) {
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from)
               : "memory");
  return v;
}

enum Kind { Copy4, Copy16, Load16 };

// --- copies as fast as possible: eight per iteration and warp, four iterations in flight

template <Kind kind>
__global__ void __launch_bounds__(256) stream(const float* source, std::size_t rowFloats, int lanesPerRow, bool fresh,
                                              int turns, long long* cycles) {
  extern __shared__ float4 room[];
  constexpr int kWidth = kind == Copy4 ? 1 : 4;
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(room));
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int rows = 32 / lanesPerRow;
  const unsigned to = base + warp * 4096 + lane * kWidth * 4;
  std::size_t column = 0;
  __syncthreads();
  const long long from = now();
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const std::size_t row = static_cast<std::size_t>((i * 8 + warp) * rows + lane / lanesPerRow);
      const float* at = source + row * rowFloats + column + lane % lanesPerRow * kWidth;
      if (kind == Copy4) copy4(to + i * 128, at);
      else copy16(to + i * 512 % 4096, at);
    }
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 3;" ::: "memory");
    if (fresh) column = (column + lanesPerRow * kWidth) % rowFloats;
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  const long long to_ = now();
  if (threadIdx.x == 0) cycles[blockIdx.x] = to_ - from;
}

// --- a shared load after several accesses of its warp, after a barrier: from there to its use

template <Kind kind, int count>
__global__ void __launch_bounds__(256) behind(const float* source, int lines, int turns, long long* cycles, float* sink) {
  extern __shared__ float4 room[];
  constexpr int kWidth = kind == Copy4 ? 1 : 4;
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(room));
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, side = 32 / lines;
  const unsigned to = base + warp * 2048 + lane * kWidth * 4;
  std::size_t at = (static_cast<std::size_t>(blockIdx.x) * 8 + warp) * 256 * 1024;
  long long sum = 0;
  float kept = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const float* from = source + at % (kFloats / 8) + lane / side * 1024 + lane % side * kWidth;
    float4 loaded[count + 1] = {};
    __syncthreads();
    const long long before = now();
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const float* its = from + static_cast<std::size_t>(i) * lines * 1024;
      if (kind == Copy4) copy4(to, its);
      else if (kind == Copy16) copy16(to, its);
      else loaded[i] = load16(its);
    }
    float value;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(base + lane * 4) : "memory");
    if (value == 1.2345f) asm volatile("trap;");  // never: the clock is read once the value has arrived
    sum += now() - before;
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (const float4& each : loaded) kept += each.x;
    at += 1024 * 8 + 32;
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = sum;
  if (kept == 1.2345f) *sink = kept;
}

// --- loops of multiply-adds alone

template <int count>
__global__ void __launch_bounds__(512) loop(float factor, int turns, long long* cycles, float* sink) {
  float sums[16];
  for (int i = 0; i < 16; ++i) sums[i] = threadIdx.x + i;
  __shared__ long long first, last;
  if (threadIdx.x == 0) first = 1ll << 62, last = 0;
  __syncthreads();
  const long long from = now();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < count; ++i) asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(sums[i % 16]) : "f"(factor));
  }
  const long long to = now();
  if (threadIdx.x % 32 == 0) atomicMin(&first, from), atomicMax(&last, to);
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = last - first;
  float all = 0;
  for (float each : sums) all += each;
  if (all == 1.2345f) *sink = all;
}

float *g_source, *g_sink;
long long* g_cycles;
int g_sms;

template <class Launch>
double median(Launch launch) {
  std::vector<long long> all(static_cast<std::size_t>(g_sms));
  for (int round = 0; round < 3; ++round) {
    launch();
    check(cudaDeviceSynchronize(), "launch");
  }
  check(cudaMemcpy(all.data(), g_cycles, all.size() * sizeof all[0], cudaMemcpyDeviceToHost), "copy");
  std::sort(all.begin(), all.end());
  return static_cast<double>(all[all.size() / 2]);
}

template <Kind kind>
void streams(const char* name, std::initializer_list<int> lanesPerRow) {
  constexpr int kTurns = 240;
  for (const bool fresh : {false, true})
    for (const int lanes : lanesPerRow) {
      const double all = median([&] { stream<kind><<<g_sms, 256, kSharedBytes>>>(g_source, 2048, lanes, fresh, kTurns, g_cycles); });
      std::printf("%s, %s, %2d lines: %5.2f cycles of an SM per copy of a warp\n", name, fresh ? "new each time" : "the same again",
                  32 / lanes, all / kTurns / 64);
    }
}

template <Kind kind, int count>
double waited(int lines, int warps) {
  constexpr int kTurns = 64;
  return median([&] { behind<kind, count><<<g_sms, 32 * warps, kSharedBytes>>>(g_source, lines, kTurns, g_cycles, g_sink); }) / kTurns;
}
template <Kind kind>
void waits(const char* name) {
  for (const int warps : {1, 8})
    for (const int lines : {4, 8, 16, 32})
      std::printf("%d warps, %s of %2d lines: a shared load is used after %.0f cycles, behind one %.0f, two %.0f, four %.0f, eight %.0f\n",
                  warps, name, lines, waited<kind, 0>(lines, warps), waited<kind, 1>(lines, warps), waited<kind, 2>(lines, warps),
                  waited<kind, 4>(lines, warps), waited<kind, 8>(lines, warps));
}

template <int count>
void loops() {
  constexpr int kTurns = 200;
  std::printf("%4d multiply-adds per turn: beyond them, cycles per turn and warp:", count);
  for (const int warps : {1, 2, 4}) {
    const double all = median([&] { loop<count><<<g_sms, 128 * warps>>>(1.0f, kTurns, g_cycles, g_sink); });
    std::printf("  %d warps per scheduler %.1f", warps, all / kTurns / warps - count);
  }
  std::puts("");
}

}  // namespace

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "device");
  g_sms = device.multiProcessorCount;
  std::puts(device.name);
  check(cudaMalloc(&g_source, kFloats * sizeof(float)), "memory");
  check(cudaMemset(g_source, 0, kFloats * sizeof(float)), "memory");
  check(cudaMalloc(&g_sink, sizeof(float)), "memory");
  check(cudaMalloc(&g_cycles, static_cast<std::size_t>(g_sms) * sizeof(long long)), "memory");
  streams<Copy4>("4 bytes", {32, 16, 8, 4, 2, 1});
  streams<Copy16>("16 bytes", {32, 8, 2});
  waits<Copy4>("copies of 4 bytes");
  waits<Copy16>("copies of 16 bytes");
  waits<Load16>("loads of 16 bytes");
  loops<128>(), loops<256>(), loops<320>(), loops<384>(), loops<512>(), loops<640>(), loops<1024>(), loops<1536>(), loops<2000>();
}
