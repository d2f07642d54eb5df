// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-kernels for the latencies of the virtual clock (kernels/timeline/costs.cpp,
// docs/design/05-timeline.md), written with the device functions that the stages use. From the
// project's folder, on a machine with a Hopper GPU:
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a -I . -DELEMENT=bf16 measurements/latencies.cu -o latencies
//   ./latencies
//
// Each line is one measurement in cycles of the SM clock. Chains of dependent instructions are timed
// over many links, so that the cost of reading the clock does not matter. Medians of 21 launches,
// with the smallest and largest.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"

namespace {

constexpr int kRounds = 21;

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

// --- chains

__global__ void chaseShared(long long* cycles, uint* sink, uint links) {
  __shared__ uint next[1024];
  for (uint i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = (i + 33) % 1024;
  __syncthreads();
  uint at = threadIdx.x;
  const long long from = now();
  for (uint i = 0; i < links; ++i) at = reinterpret_cast<volatile uint*>(next)[at];
  const long long to = now();
  sink[threadIdx.x] = at;
  if (threadIdx.x == 0) *cycles = to - from;
}

// The whole vector is needed for the next address, as a fragment load is needed by its multiply-adds.
__global__ void chaseSharedWide(long long* cycles, uint* sink, uint links) {
  __shared__ uint4 next[256];
  for (uint i = threadIdx.x; i < 256; i += blockDim.x) next[i] = make_uint4((i + 33) % 256, 0, 0, 0);
  __syncthreads();
  uint at = threadIdx.x;
  const long long from = now();
  for (uint i = 0; i < links; ++i) {
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(shared_address(next + at)));
    at = v.x + v.w;
  }
  const long long to = now();
  sink[threadIdx.x] = at;
  if (threadIdx.x == 0) *cycles = to - from;
}

// Loads of this many words whose address depends on all words of the previous load, and on nothing
// else: the load is measured, and an AND per three words. `sharing`: lanes n and n + 8 read the
// same address (1), or four lanes in a row (4).
template <int WORDS>
__global__ void chaseSharedWords(long long* cycles, uint* sink, uint links, uint sharing) {
  __shared__ __align__(16) uint self[1024];
  const uint base = shared_address(self);
  for (uint i = threadIdx.x; i < 1024; i += blockDim.x) self[i] = base + i / 4 * 16;
  __syncthreads();
  uint at = base + (sharing == 1 ? threadIdx.x % 8 : threadIdx.x % 32 / sharing) * 16;
  const long long from = now();
  for (uint i = 0; i < links; i += 64) {
    UNROLL for (uint k = 0; k < 64; ++k) {
      uint x, y = ~0u, z = ~0u, w = ~0u;
      if (WORDS == 1) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at));
      if (WORDS == 2) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(at));
      if (WORDS == 4)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
      at = x & y & z & w;
    }
  }
  const long long to = now();
  sink[threadIdx.x] = at;
  if (threadIdx.x == 0) *cycles = to - from;
}

__global__ void chaseMatrices(long long* cycles, uint* sink, uint links) {
  __shared__ __align__(16) element panel[32 * 8];
  for (uint i = threadIdx.x; i < 32 * 4; i += blockDim.x) reinterpret_cast<uint*>(panel)[i] = 0;
  __syncthreads();
  uint r[4] = {0, 0, 0, 0};
  const long long from = now();
  for (uint i = 0; i < links; ++i) load_matrices(r, panel + threadIdx.x % 32 * 8 + (r[0] | r[1] | r[2] | r[3]));
  const long long to = now();
  sink[threadIdx.x] = r[0];
  if (threadIdx.x == 0) *cycles = to - from;
}

template <int kWay>  // 0: kept in L1, 1: L2 only
__global__ void chaseGlobal(long long* cycles, uint* sink, const uint* next, uint links, uint first) {
  uint at = first;
  const long long from = now();
  for (uint i = 0; i < links; ++i) {
    if (kWay == 0) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
    else asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
  }
  const long long to = now();
  sink[threadIdx.x] = at;
  *cycles = to - from;
}

__global__ void chainFma(long long* cycles, uint* sink, uint links) {
  float x = threadIdx.x, y = links;
  const long long from = now();
#pragma unroll 64
  for (uint i = 0; i < links; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));
  const long long to = now();
  sink[threadIdx.x] = __float_as_uint(x);
  if (threadIdx.x == 0) *cycles = to - from;
}

__global__ void chainMma(long long* cycles, uint* sink, uint links) {
  float acc[4] = {};
  uint a[4] = {}, b[2] = {};
  const long long from = now();
#pragma unroll 16
  for (uint i = 0; i < links; ++i) multiply_add(acc, a, b);
  const long long to = now();
  sink[threadIdx.x] = __float_as_uint(acc[0] + acc[1] + acc[2] + acc[3]);
  if (threadIdx.x == 0) *cycles = to - from;
}

__global__ void meetings(long long* cycles, uint links) {
  __syncthreads();
  const long long from = now();
#pragma unroll 16
  for (uint i = 0; i < links; ++i) __syncthreads();
  const long long to = now();
  if (threadIdx.x == 0) *cycles = to - from;
}

// --- mbarriers

// One thread arrives and waits for the phase that its own arrival ends.
__global__ void ownPhase(long long* cycles, uint links) {
  __shared__ barrier bar;
  start(&bar, 1);
  publish_barriers();
  uint parity = 0;
  const long long from = now();
  for (uint i = 0; i < links; ++i) {
    expect(&bar, 0);
    wait(&bar, parity);
    parity ^= 1;
  }
  const long long to = now();
  *cycles = to - from;
}

// Two warps wake each other alternately: half of a round is one arrival that wakes a waiting warp.
__global__ void pingPong(long long* cycles, uint links) {
  __shared__ barrier ping, pong;
  if (threadIdx.x == 0) {
    start(&ping, 1);
    start(&pong, 1);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  uint parity = 0;
  const long long from = now();
  for (uint i = 0; i < links; ++i) {
    if (threadIdx.x == 0) {
      expect(&ping, 0);
      wait(&pong, parity);
    } else {
      wait(&ping, parity);
      expect(&pong, 0);
    }
    parity ^= 1;
  }
  const long long to = now();
  if (threadIdx.x == 0) *cycles = to - from;
}

// Waiting for a phase that is already complete.
__global__ void overAlready(long long* cycles, uint links) {
  __shared__ barrier bar;
  start(&bar, 1);
  publish_barriers();
  expect(&bar, 0);
  wait(&bar, 0);
  const long long from = now();
#pragma unroll 16
  for (uint i = 0; i < links; ++i) wait(&bar, 0);
  const long long to = now();
  *cycles = to - from;
}

// --- TMA

// The issue alone: `kBoxes` TMA loads of 1 KB, as T6 and T7 issue six for one K tile.
template <int kBoxes>
__global__ void askFor(long long* cycles, TENSOR A, uint links) {
  extern __shared__ __align__(1024) element tile[];
  __shared__ barrier bar;
  start(&bar, 1);
  publish_barriers();
  uint parity = 0;
  long long sum = 0;
  for (uint i = 0; i < links; ++i) {
    const long long from = now();
    expect(&bar, kBoxes * 1024);
#pragma unroll
    for (int b = 0; b < kBoxes; ++b) load_box(tile + b * 512, A, 0, b * 8, &bar);
    sum += now() - from;
    wait(&bar, parity);
    parity ^= 1;
  }
  *cycles = sum;
}

// From the issue of one TMA load until its thread continues; `cold` boxes are far enough apart that
// none is in L2.
__global__ void oneBox(long long* cycles, TENSOR A, uint bytes, uint rows, uint step, uint links) {
  extern __shared__ __align__(1024) element tile[];
  __shared__ barrier bar;
  start(&bar, 1);
  publish_barriers();
  uint parity = 0;
  long long sum = 0;
  for (uint i = 0; i < links; ++i) {
    const long long from = now();
    expect(&bar, bytes);
    load_box(tile, A, 0, i * step * rows, &bar);
    wait(&bar, parity);
    sum += now() - from;
    parity ^= 1;
  }
  *cycles = sum;
}

// Sets of blocks that load the same: neighbours by number, or those whose numbers are as far apart
// as possible.
__device__ __forceinline__ uint setOf(uint share, bool neighbours) {
  return neighbours ? blockIdx.x / share : blockIdx.x % (gridDim.x / share);
}

// Every block keeps `slots` boxes of 64 x 128 elements in flight, from a matrix of `rows` rows that
// L2 holds. Sets of `share` blocks load the same boxes, and begin `apart` boxes from each other.
__global__ void boxStream(long long* cycles, TENSOR A, uint slots, uint boxes, uint rows, uint share, uint apart,
                          bool neighbours) {
  extern __shared__ __align__(1024) element tile[];
  __shared__ barrier bar[16];
  for (uint s = 0; s < slots; ++s) start(bar + s, 1);
  publish_barriers();
  uint at = setOf(share, neighbours) * apart * 128 % rows;
  const auto ask = [&](uint s) {
    expect(bar + s, 64 * 128 * 2);
    load_box(tile + s * 64 * 128, A, 0, at, bar + s);
    at += 128;
    if (at >= rows) at -= rows;
  };
  const long long from = now();
  for (uint s = 0; s < slots; ++s) ask(s);
  uint s = 0, parity = 0;
  for (uint i = 0; i < boxes; ++i) {
    wait(bar + s, parity);
    if (i + slots < boxes) ask(s);
    if (++s == slots) {
      s = 0;
      parity ^= 1;
    }
  }
  cycles[blockIdx.x] = now() - from;
}

// The same with plain loads of 16 bytes: 512 threads, `kDeep` loads of each in flight.
template <int kDeep>
__global__ void __launch_bounds__(512) loadStream(long long* cycles, uint* sink, const uint4* from16, uint turns, uint rows,
                                                  uint share, uint apart, bool neighbours) {
  const uint span = rows * 8;  // 16-byte words; a row has 128 bytes
  uint at = (setOf(share, neighbours) * apart * 1024 + threadIdx.x) % span;
  uint4 sum = {};
  __syncthreads();
  const long long from = now();
  for (uint i = 0; i < turns; ++i) {
    uint4 v[kDeep];
#pragma unroll
    for (int d = 0; d < kDeep; ++d) {
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v[d].x), "=r"(v[d].y), "=r"(v[d].z), "=r"(v[d].w)
                   : "l"(from16 + at));
      at += 512;
      if (at >= span) at -= span;
    }
#pragma unroll
    for (int d = 0; d < kDeep; ++d) sum.x ^= v[d].x ^ v[d].y ^ v[d].z ^ v[d].w;
  }
  __syncthreads();
  const long long to = now();
  sink[threadIdx.x] = sum.x;
  if (threadIdx.x == 0) cycles[blockIdx.x] = to - from;
}

// --- wgmma

// Groups of kCount wgmma of 64 x kColumns x 16. All but the kInFlight newest groups are waited for
// before the next one is issued: none in flight as in T5 and T6, one as in T7. With kMeet the block
// meets after each group.
template <int kColumns, int kCount, int kInFlight, bool kMeet>
__global__ void __launch_bounds__(256) products(long long* cycles, uint* sink, uint links) {
  extern __shared__ __align__(1024) element tile[];
  float acc[kColumns / 2] = {};
  const uint group = threadIdx.x / 128;
  const auto a = operand(tile + group * 64 * 64, 16, 1024, 128), b = operand(tile + 128 * 64, 8192, 1024, 128);
  __syncthreads();
  const long long from = now();
  for (uint i = 0; i < links; ++i) {
    fence_products();
#pragma unroll
    for (int p = 0; p < kCount; ++p) multiply_add_group(acc, kColumns, a + p % 4 * 2, b + p % 4 * 128);
    commit_products();
    wait_products(kInFlight);
    if (kMeet) __syncthreads();
  }
  wait_products(0);
  const long long to = now();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kColumns / 2; ++i) sum += acc[i];
  sink[threadIdx.x] = __float_as_uint(sum);
  if (threadIdx.x == 0) *cycles = to - from;
}

// --- the host's side

long long* g_cycles;
uint* g_sink;

// Prints the median of `figure`, which is computed from the cycles of a launch on average over its
// blocks.
void report(const char* name, int blocks, const std::function<void()>& launch, const std::function<double(double)>& figure) {
  std::vector<double> all;
  for (int round = 0; round < kRounds; ++round) {
    launch();
    check(cudaDeviceSynchronize(), name);
    std::vector<long long> c(blocks);
    check(cudaMemcpy(c.data(), g_cycles, sizeof(long long) * blocks, cudaMemcpyDeviceToHost), name);
    double sum = 0;
    for (long long x : c) sum += double(x);
    all.push_back(figure(sum / blocks));
  }
  std::sort(all.begin(), all.end());
  std::printf("%-86s %9.1f  (%.1f to %.1f)\n", name, all[kRounds / 2], all.front(), all.back());
  std::fflush(stdout);
}

// Cycles per link of a chain.
void onGpu(const char* name, double links, const std::function<void()>& launch) {
  report(name, 1, launch, [&](double cycles) { return cycles / links; });
}

CUtensorMap mapOf(void* at, unsigned long long columns, unsigned long long rows, unsigned boxColumns, unsigned boxRows) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  check(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found), "entry point");
  CUtensorMap map;
  const cuuint64_t size[2] = {columns, rows}, stride[1] = {columns * 2};
  const cuuint32_t box[2] = {boxColumns, boxRows}, step[2] = {1, 1};
  const CUresult r = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, at, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (r != CUDA_SUCCESS) {
    std::fprintf(stderr, "tensor map: error %d\n", int(r));
    std::exit(1);
  }
  return map;
}

tensor_map plain(const CUtensorMap& map) {
  tensor_map m;
  static_assert(sizeof m == sizeof map);
  __builtin_memcpy(&m, &map, sizeof m);
  return m;
}

template <typename F>
void shared(F* kernel, int bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory");
}

template <int kColumns>
void productsOf(int groups) {
  char name[160];
  const int bytes = (128 * 64 + kColumns * 64) * 2;
  const auto one = [&](auto* kernel, const char* what, int count) {
    shared(kernel, bytes);
    std::snprintf(name, sizeof name, "%s %d x (64 x %d x 16), %d warpgroup(s): per group of products", what, count, kColumns,
                  groups);
    onGpu(name, 512, [&] { kernel<<<1, groups * 128, bytes>>>(g_cycles, g_sink, 512); });
  };
  one(products<kColumns, 1, 0, false>, "wait for each:", 1);
  one(products<kColumns, 2, 0, false>, "wait for each:", 2);
  one(products<kColumns, 4, 0, false>, "wait for each:", 4);
  one(products<kColumns, 8, 0, false>, "wait for each:", 8);
  one(products<kColumns, 4, 0, true>, "wait for each, then __syncthreads():", 4);
  one(products<kColumns, 4, 1, false>, "one in flight:", 4);
}

}  // namespace

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "device");
  std::printf("%s, %d SMs\n", device.name, device.multiProcessorCount);
  check(cudaMalloc(&g_cycles, 4096 * sizeof(long long)), "memory");
  check(cudaMalloc(&g_sink, 4096 * sizeof(uint)), "memory");

  onGpu("ld.shared 32 bits, dependent, one warp", 1024, [] { chaseShared<<<1, 32>>>(g_cycles, g_sink, 1024); });
  onGpu("ld.shared 128 bits, dependent, one warp (with an add)", 1024, [] { chaseSharedWide<<<1, 32>>>(g_cycles, g_sink, 1024); });
  for (const uint sharing : {1u, 4u}) {
    std::printf("lanes share addresses %s:\n", sharing == 4 ? "in fours, and so in pairs" : "with every eighth one");
    onGpu("ld.shared 32 bits, dependent, one warp", 1024, [=] { chaseSharedWords<1><<<1, 32>>>(g_cycles, g_sink, 1024, sharing); });
    onGpu("ld.shared 64 bits and an AND, dependent, one warp", 1024, [=] { chaseSharedWords<2><<<1, 32>>>(g_cycles, g_sink, 1024, sharing); });
    onGpu("ld.shared 128 bits and two ANDs, dependent, one warp", 1024, [=] { chaseSharedWords<4><<<1, 32>>>(g_cycles, g_sink, 1024, sharing); });
  }
  onGpu("ldmatrix.x4, dependent, one warp (with three ors and an add)", 1024, [] { chaseMatrices<<<1, 32>>>(g_cycles, g_sink, 1024); });
  onGpu("fma, dependent", 4096, [] { chainFma<<<1, 32>>>(g_cycles, g_sink, 4096); });
  onGpu("mma.sync m16n8k16, dependent, one warp", 1024, [] { chainMma<<<1, 32>>>(g_cycles, g_sink, 1024); });

  const std::size_t bytes = std::size_t{4} << 30;
  uint* memory;
  check(cudaMalloc(&memory, bytes), "memory");
  {
    std::vector<uint> next;
    const auto fill = [&](std::size_t words, uint step) {
      next.assign(words, 0);
      for (std::size_t i = 0; i < words; ++i) next[i] = uint((i + step) % words);
      check(cudaMemcpy(memory, next.data(), words * 4, cudaMemcpyHostToDevice), "copy");
    };
    fill(4096, 32 + 1);
    onGpu("ld.global, found in L1", 65536, [&] { chaseGlobal<0><<<1, 1>>>(g_cycles, g_sink, memory, 65536, 0); });
    fill(1 << 20, 1025);
    onGpu("ld.global.cg, found in L2 (4 MB)", 4096, [&] { chaseGlobal<1><<<1, 1>>>(g_cycles, g_sink, memory, 4096, 0); });
    fill(std::size_t{1} << 28, 1024 * 33 + 32);  // 1 GB, steps of 132 KB: beyond L2, and other pages of DRAM
    uint first = 0;
    onGpu("ld.global.cg, from DRAM (1 GB, steps of 132 KB)", 1024,
          [&] { chaseGlobal<1><<<1, 1>>>(g_cycles, g_sink, memory, 1024, first += 64); });
  }

  char name[160];
  for (const int warps : {1, 4, 8, 16, 32}) {
    std::snprintf(name, sizeof name, "__syncthreads() after __syncthreads(), %d warps", warps);
    onGpu(name, 1024, [&] { meetings<<<1, warps * 32>>>(g_cycles, 1024); });
  }
  onGpu("mbarrier: arrive and wait for the own phase, one thread", 1024, [] { ownPhase<<<1, 1>>>(g_cycles, 1024); });
  onGpu("mbarrier: an arrival wakes a warp of the same block", 2048, [] { pingPong<<<1, 64>>>(g_cycles, 1024); });

  onGpu("mbarrier: waiting for a phase that is over", 1024, [] { overAlready<<<1, 1>>>(g_cycles, 1024); });
  {
    const tensor_map m = plain(mapOf(memory, 64, 1 << 20, 64, 8));
    onGpu("asking for 1 box and announcing its bytes", 64, [&] { askFor<1><<<1, 1, 16384>>>(g_cycles, m, 64); });
    onGpu("asking for 2 boxes and announcing their bytes", 64, [&] { askFor<2><<<1, 1, 16384>>>(g_cycles, m, 64); });
    onGpu("asking for 6 boxes and announcing their bytes", 64, [&] { askFor<6><<<1, 1, 16384>>>(g_cycles, m, 64); });
  }
  shared(oneBox, 64 * 256 * 2);
  for (const unsigned rows : {8U, 64U, 128U, 256U}) {
    const tensor_map m = plain(mapOf(memory, 64, (std::size_t{1} << 30) / 128, 64, rows));
    std::snprintf(name, sizeof name, "one box of 64 x %u elements (%u bytes) from L2, until its asker goes on", rows, rows * 128);
    onGpu(name, 64, [&] { oneBox<<<1, 1, 64 * 256 * 2>>>(g_cycles, m, rows * 128, rows, 0, 64); });
    std::snprintf(name, sizeof name, "one box of 64 x %u elements (%u bytes) from DRAM, until its asker goes on", rows, rows * 128);
    onGpu(name, 64, [&] {
      check(cudaMemset(reinterpret_cast<char*>(memory) + (std::size_t{2} << 30), 0, std::size_t{1} << 30), "flush");
      oneBox<<<1, 1, 64 * 256 * 2>>>(g_cycles, m, rows * 128, rows, 17, 64);
    });
  }
  shared(boxStream, 12 * 64 * 128 * 2);
  const auto rate = [](const char* what, int blocks, double bytes, const std::function<void()>& launch) {
    report(what, blocks, launch, [&](double cycles) { return bytes / cycles; });
  };
  const int sms = device.multiProcessorCount;
  std::printf("bytes per cycle and SM from L2, boxes of 16 KB, 8 under way per SM; plain loads of 16 bytes, 64 KB under way\n");
  for (const unsigned rows : {16384U, 131072U}) {
    const tensor_map m = plain(mapOf(memory, 64, rows, 64, 128));
    const double kb = rows / 8.0;
    std::snprintf(name, sizeof name, "%5.0f KB, 1 SM: boxes", kb);
    rate(name, 1, 512.0 * 16384, [&] { boxStream<<<1, 1, 12 * 64 * 128 * 2>>>(g_cycles, m, 8, 512, rows, 1, 1, true); });
    for (const bool neighbours : {true, false}) {
      for (const int share : {1, 2, 4, 11, 33, sms}) {
        const char* who = neighbours ? "neighbours" : "far apart";
        std::snprintf(name, sizeof name, "%5.0f KB, %d SMs, %d ask for the same (%s): boxes", kb, sms, share, who);
        rate(name, sms, 512.0 * 16384,
             [&] { boxStream<<<sms, 1, 12 * 64 * 128 * 2>>>(g_cycles, m, 8, 512, rows, share, 7, neighbours); });
        std::snprintf(name, sizeof name, "%5.0f KB, %d SMs, %d ask for the same (%s): loads", kb, sms, share, who);
        rate(name, sms, 128.0 * 8 * 512 * 16, [&] {
          loadStream<8><<<sms, 512>>>(g_cycles, g_sink, reinterpret_cast<const uint4*>(memory), 128, rows, share, 7, neighbours);
        });
      }
    }
  }

  for (const int groups : {1, 2}) {
    productsOf<64>(groups);
    productsOf<128>(groups);
    productsOf<192>(groups);
    productsOf<256>(groups);
  }
  return 0;
}
