// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T13 and cublasGemmEx at full load: rounds of launches in the order cuBLAS, kernel, kernel,
// cuBLAS, without a pause between them, so that both run at the same clock and temperature.
// `tileloom run t13` pauses between its rounds and reports less for it (docs/log/performance.md).
// From the project's folder, on a machine with a Hopper GPU of 132 SMs:
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a -I . -DELEMENT=bf16 -DDYNAMIC_SHARED -DBM=128 -DBN=256
//     -DBK=64 -DCONSUMERS=2 -DSWIZZLE=128 -DSTAGES=4 -DGROUP=8 -DCLUSTER=2 -DSPLIT=2 measurements/rounds.cu -o rounds
//     -lcublas && ./rounds 4096
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/stages/tensor/hopper.cuh"

namespace {

constexpr int kBlocks = 132, kRounds = 41;
constexpr int kShared = (STAGES * (BM + BN) * BK + CONSUMERS * 2 * 64 * SWIZZLE / 2) * 2 + 16 * STAGES;

void check(int error, const char* what) {
  if (error == 0) return;
  std::fprintf(stderr, "%s: error %d\n", what, error);
  std::exit(1);
}

tensor_map mapOf(void* at, unsigned size, unsigned boxRows) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  check(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found), "entry point");
  CUtensorMap map;
  const cuuint64_t sizes[2] = {size, size}, stride[1] = {cuuint64_t{size} * 2};
  const cuuint32_t box[2] = {SWIZZLE / 2, boxRows}, step[2] = {1, 1};
  check(reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
            &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, at, sizes, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        "tensor map");
  tensor_map its;
  static_assert(sizeof its == sizeof map);
  std::memcpy(&its, &map, sizeof map);
  return its;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned n = argc > 1 ? unsigned(std::atoi(argv[1])) : 4096;
  const int launches = n <= 4096 ? 12 : 3;  // of each turn
  const std::size_t elements = std::size_t{n} * n;
  std::vector<unsigned short> numbers(elements);
  unsigned state = 1;
  for (unsigned short& x : numbers) {  // approximately normal: the energy of the products is that of usual data
    float sum = -3;
    for (int i = 0; i < 6; ++i) state = state * 1664525u + 1013904223u, sum += float(state >> 8) / (1 << 24);
    unsigned bits;
    std::memcpy(&bits, &sum, 4);
    x = static_cast<unsigned short>(bits >> 16);
  }
  void *a, *b, *c, *of, *left, *workspace;
  for (void** p : {&a, &b, &c, &of}) check(cudaMalloc(p, elements * 2), "memory");
  for (void* p : {a, b}) check(cudaMemcpy(p, numbers.data(), elements * 2, cudaMemcpyHostToDevice), "copy");
  const std::size_t sums = std::size_t{kBlocks} * (BM * BN + CONSUMERS) * 4, space = std::size_t{64} << 20;
  check(cudaMalloc(&left, sums), "memory");
  check(cudaMemset(left, 0, sums), "clear");
  check(cudaMalloc(&workspace, space), "memory");
  const tensor_map mapA = mapOf(a, n, BM), mapB = mapOf(b, n, BK / CLUSTER), mapC = mapOf(c, n, 64);
  check(cudaFuncSetAttribute(hopper, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared), "shared memory");
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "stream");
  cublasHandle_t handle;
  check(cublasCreate(&handle), "cuBLAS");
  check(cublasSetStream(handle, stream), "cuBLAS");
  check(cublasSetWorkspace(handle, workspace, space), "cuBLAS");
  check(cublasSetMathMode(handle, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH |
                                                            CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)),
        "cuBLAS");
  const float one = 1, zero = 0;
  const auto library = [&] {
    check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, int(n), int(n), int(n), &one, b, CUDA_R_16BF, int(n), a,
                       CUDA_R_16BF, int(n), &zero, of, CUDA_R_16BF, int(n), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
          "cuBLAS");
  };
  const auto kernel = [&] {
    hopper<<<kBlocks, (CONSUMERS + 1) * 128, kShared, stream>>>(n, n, n, mapA, mapB, mapC, static_cast<float*>(left));
  };
  cudaEvent_t marks[5];
  for (cudaEvent_t& mark : marks) check(cudaEventCreate(&mark), "event");
  std::vector<double> ratios, speeds;
  for (int round = -2; round < kRounds; ++round) {  // two to warm up
    for (int turn = 0; turn < 4; ++turn) {
      check(cudaEventRecord(marks[turn], stream), "event");
      for (int i = 0; i < launches; ++i) turn == 1 || turn == 2 ? kernel() : library();
    }
    check(cudaEventRecord(marks[4], stream), "event");
    check(cudaDeviceSynchronize(), "launch");
    if (round < 0) continue;
    float ms[4];
    for (int turn = 0; turn < 4; ++turn) check(cudaEventElapsedTime(ms + turn, marks[turn], marks[turn + 1]), "event");
    ratios.push_back((ms[0] + ms[3]) / (ms[1] + ms[2]));
    speeds.push_back(2.0 * n * n * n * 2 * launches / (ms[1] + ms[2]) / 1e9);
  }
  std::vector<unsigned short> mine(elements), theirs(elements);
  check(cudaMemcpy(mine.data(), c, elements * 2, cudaMemcpyDeviceToHost), "copy");
  check(cudaMemcpy(theirs.data(), of, elements * 2, cudaMemcpyDeviceToHost), "copy");
  std::size_t differ = 0;
  for (std::size_t i = 0; i < elements; ++i) differ += mine[i] != theirs[i];
  std::sort(ratios.begin(), ratios.end());
  std::sort(speeds.begin(), speeds.end());
  std::printf("GROUP %d, SPLIT %d at %u: %.2f %% of GemmEx (half of the rounds %.2f to %.2f), %.0f TFLOP/s; %zu of %zu elements "
              "differ by rounding\n",
              GROUP, SPLIT, n, 100 * ratios[kRounds / 2], 100 * ratios[kRounds / 4], 100 * ratios[kRounds * 3 / 4],
              speeds[kRounds / 2], differ, elements);
}
