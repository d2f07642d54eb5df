// SPDX-License-Identifier: GPL-3.0-or-later
// How long warps that multiply wait for their wgmma, for a full stage and for each other, with almost
// nothing added to the kernel: each wait adds its cycles to a register, and each warp writes its sums
// once, at its end. Timestamps (kernels/device/stamps.cuh) write a record for each operation, which
// takes longer than many waits; this shows the error of their shares (docs/design/05-timeline.md). From
// the project's folder, on a machine with a Hopper GPU, for one of T6 to T9:
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a -I . -DELEMENT=bf16 -DDYNAMIC_SHARED -DBM=128 -DBN=256
//     -DBK=64 -DCONSUMERS=2 -DSWIZZLE=128 -DSTAGES=4 -DGROUP=8 -DSTAGE=consumers -DWARPS=12
//     -DSOURCE='"kernels/stages/tensor/consumers.cuh"' measurements/wait_shares.cu -o shares && ./shares 4096
//
// -DPLAIN leaves the clocks out, for the time of a launch without them.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels/device/portable.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/tensor.cuh"
#include "kernels/device/hopper.cuh"
#include "kernels/device/roles.cuh"

struct Sums {
  unsigned long long all, products, phase, meeting;  // cycles
};
__device__ Sums* g_sums;  // of each warp of each block

#if !defined(PLAIN)
namespace {

__device__ __forceinline__ uint now() {
  uint t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

// Where no sums are kept: producers.
struct Nothing {
  __device__ __forceinline__ void operator+=(uint) const {}
};
struct NoSums {
  Nothing products, phase, meeting;
};
__device__ constexpr NoSums kept;

struct Kept {
  uint begin = now(), products = 0, phase = 0, meeting = 0;
  __device__ __forceinline__ ~Kept() {
    if (threadIdx.x % 32 == 0)
      g_sums[(blockIdx.y * gridDim.x + blockIdx.x) * WARPS + threadIdx.x / 32] = {now() - begin, products, phase, meeting};
  }
};

template <uint n>
__device__ __forceinline__ void reallyWaitProducts() {
  wait_products(n);
}

}  // namespace

#define ADD_TO(which, ...)        \
  do {                            \
    const uint from_here = now(); \
    __VA_ARGS__;                  \
    kept.which += now() - from_here; \
  } while (0)
#undef wait_products
#define wait_products(n) ADD_TO(products, reallyWaitProducts<(n)>())
#define wait(...) ADD_TO(phase, wait(__VA_ARGS__))
#define __syncthreads() ADD_TO(meeting, __syncthreads())
#undef REGISTERS
#define REGISTERS(type, name, count) \
  Kept kept;                         \
  type name[count] = {}
#endif

#include SOURCE

namespace {

void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

tensor_map mapOf(void* at, unsigned long long columns, unsigned long long rows, unsigned boxRows) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  check(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found), "entry point");
  CUtensorMap map;
  const cuuint64_t size[2] = {columns, rows}, stride[1] = {columns * 2};
  const cuuint32_t box[2] = {SWIZZLE / 2, boxRows}, step[2] = {1, 1};
  const CUresult r = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, at, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (r != CUDA_SUCCESS) {
    std::fprintf(stderr, "tensor map: error %d\n", int(r));
    std::exit(1);
  }
  tensor_map its;
  static_assert(sizeof its == sizeof map);
  __builtin_memcpy(&its, &map, sizeof map);
  return its;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned size = argc > 1 ? unsigned(std::atoi(argv[1])) : 4096;
  const std::size_t elements = std::size_t{size} * size;
  std::vector<unsigned short> numbers(elements);
  unsigned state = 1;
  for (unsigned short& x : numbers) {  // approximately normal: the energy of the products is that of usual data
    float sum = -3;
    for (int i = 0; i < 6; ++i) state = state * 1664525u + 1013904223u, sum += float(state >> 8) / (1 << 24);
    unsigned bits;
    __builtin_memcpy(&bits, &sum, 4);
    x = static_cast<unsigned short>(bits >> 16);
  }
  void *a, *b, *c;
  for (void** p : {&a, &b, &c}) check(cudaMalloc(p, elements * 2), "memory");
  for (void* p : {a, b}) check(cudaMemcpy(p, numbers.data(), elements * 2, cudaMemcpyHostToDevice), "copy");

  const dim3 grid((size + BN - 1) / BN, (size + BM - 1) / BM);
  const std::size_t warps = std::size_t{grid.x} * grid.y * WARPS;
  Sums* sums;
  check(cudaMalloc(&sums, warps * sizeof(Sums)), "memory");
  check(cudaMemset(sums, 0, warps * sizeof(Sums)), "clear");
  check(cudaMemcpyToSymbol(g_sums, &sums, sizeof sums), "symbol");
  const int bytes = STAGES * (BM + BN) * BK * 2 + 2048;
  check(cudaFuncSetAttribute(STAGE, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory");
  const tensor_map mapA = mapOf(a, size, size, BM), mapB = mapOf(b, size, size, BK);
  cudaEvent_t from, to;
  check(cudaEventCreate(&from), "event");
  check(cudaEventCreate(&to), "event");
  std::vector<float> times;
  for (int round = 0; round < 21; ++round) {
    check(cudaEventRecord(from), "event");
    for (int i = 0; i < 3; ++i)
      STAGE<<<grid, WARPS * 32, bytes>>>(size, size, size, mapA, mapB, static_cast<element*>(c));
    check(cudaEventRecord(to), "event");
    check(cudaDeviceSynchronize(), "launch");
    float ms;
    check(cudaEventElapsedTime(&ms, from, to), "event");
    times.push_back(ms / 3);
  }
  std::sort(times.begin(), times.end());
  std::vector<Sums> all(warps);
  check(cudaMemcpy(all.data(), sums, warps * sizeof(Sums), cudaMemcpyDeviceToHost), "copy");
  Sums total = {};
  int count = 0;
  for (const Sums& s : all) {
    if (s.all == 0) continue;
    ++count, total.all += s.all, total.products += s.products, total.phase += s.phase, total.meeting += s.meeting;
  }
  std::printf("size %u: %.4f ms (median of %zu times 3 launches)\n", size, times[times.size() / 2], times.size());
  if (count == 0) return 0;
  const auto percent = [&](unsigned long long x) { return 100.0 * double(x) / double(total.all); };
  std::printf("  of the time of %d warps that multiply (%.0f cycles each): for products %.1f %%, for a full stage %.1f %%, for others %.1f %%\n",
              count, double(total.all) / count, percent(total.products), percent(total.phase), percent(total.meeting));
}
