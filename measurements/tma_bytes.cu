// SPDX-License-Identifier: GPL-3.0-or-later
// The hardware counters of one TMA load: each launch issues one load of one box, and a profiler reads
// the counters.
//
//   nvcc -arch=sm_90a -o tma_bytes measurements/tma_bytes.cu -lcuda
//   ncu --clock-control none --csv --page raw --metrics \
//     l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum ./tma_bytes > counted.csv
//
// The program prints one line for each launch, in the order of the launches:
//   mode cluster mask swizzle inner-bytes rows pitch-bytes x y width height
// "plain" is cp.async.bulk.tensor without a mask; "multicast" has one. x and y are the first column and row of the box in
// elements, width and height those of the matrix. Rules 64 and 71 of docs/hardware.md come from its figures.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Case {
  bool multicast;
  int cluster;
  unsigned mask;
  int swizzle;  // bytes; 0: none
  int inner;    // bytes of a row of the box
  int rows;
  int pitch;  // bytes from one row of the matrix to the next
  int x, y;   // elements
  int width, height;
};

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

__device__ unsigned rank() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}

// Rank 0 loads; each block in the mask waits for its bytes.
__global__ void load(const __grid_constant__ CUtensorMap map, int x, int y, unsigned mask, bool multicast,
                     unsigned bytes) {
  extern __shared__ __align__(1024) unsigned char box[];
  __shared__ std::uint64_t barrier;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(box));
  const unsigned mine = rank();
  const bool gets = (mask >> mine & 1u) != 0;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  if (gets) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (mine == 0) {
    if (multicast) {
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, "
          "%3}], [%4], %5;" ::"r"(to),
          "l"(&map), "r"(x), "r"(y), "r"(at), "h"(static_cast<unsigned short>(mask))
          : "memory");
    } else {
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
              to),
          "l"(&map), "r"(x), "r"(y), "r"(at)
          : "memory");
    }
  }
  if (gets) {
    asm volatile(
        "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra again;\n}" ::"r"(at)
        : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

std::vector<Case> cases() {
  struct Mode {
    bool multicast;
    int cluster;
    unsigned mask;
  };
  const Mode modes[] = {{false, 1, 1}, {true, 1, 1}, {false, 2, 1}, {true, 2, 1}, {true, 2, 2}, {true, 2, 3}, {true, 4, 15}};
  std::vector<Case> all;
  for (const Mode& m : modes) {
    const auto add = [&](int swizzle, int inner, int rows, int pitch, int x, int y, int width, int height) {
      all.push_back({m.multicast, m.cluster, m.mask, swizzle, inner, rows, pitch, x, y, width, height});
    };
    // Inside the matrix: widths, swizzles, beginnings within a line, distances of rows.
    for (int swizzle : {0, 32, 64, 128}) {
      for (int inner : {16, 32, 48, 64, 96, 128, 256}) {
        if (swizzle != 0 && inner > swizzle) continue;
        add(swizzle, inner, 8, 1024, 0, 0, 512, 64);
      }
    }
    for (int inner : {16, 32, 64, 128}) {
      for (int x : {8, 16, 24, 32, 40, 48, 56}) add(inner < 32 ? 32 : inner, inner, 8, 1024, x, 0, 512, 64);
      for (int pitch : {528, 544, 560, 576, 592, 608, 624, 656, 688, 704, 1376}) add(inner < 32 ? 32 : inner, inner, 16, pitch, 0, 0, 256, 64);
    }
    for (int rows : {1, 2, 3, 4, 5, 7, 16, 64}) {
      add(32, 32, rows, 1024, 0, 0, 512, 64);
      add(64, 64, rows, 1024, 0, 0, 512, 64);
      add(128, 128, rows, 1024, 0, 0, 512, 64);
      add(32, 32, rows, 1024, 0, 1, 512, 128);
      add(64, 64, rows, 704, 0, 0, 342, 64);
    }
    // Across the edge: below, to the right, both, in front, and completely outside.
    for (int inner : {32, 64, 128}) {
      const int n = inner / 2;
      for (int inside : {1, 3, 8, 12, 16, 17, 24, 40, 48, n - 1}) {
        if (inside < n) add(inner, inner, 8, 1024, 448, 0, 448 + inside, 64);
      }
      add(inner, inner, 8, 1024, 0, 60, 512, 64);
      add(inner, inner, 8, 1024, 0, 63, 512, 64);
      add(inner, inner, 8, 1024, 472, 60, 480, 64);
      add(inner, inner, 8, 1024, 480, 0, 480, 64);
      add(inner, inner, 8, 1024, 496, 0, 480, 64);
      add(inner, inner, 8, 1024, 0, 64, 512, 64);
      add(inner, inner, 8, 1024, 0, 80, 512, 64);
      add(inner, inner, 8, 1024, -8, 0, 512, 64);
      add(inner, inner, 8, 1024, 0, -3, 512, 64);
      add(inner, inner, 8, 704, 336, 0, 342, 64);
      add(inner, inner, 8, 704, 320, 0, 342, 64);
      add(inner, inner, 8, 688, 320, 0, 342, 64);
      add(inner, inner, 8, 688, 336, 60, 342, 64);
    }
  }
  return all;
}

}  // namespace

int main() {
  check(cuInit(0) == CUDA_SUCCESS, "cuInit");
  check(cudaSetDevice(0) == cudaSuccess, "cudaSetDevice");
  constexpr std::size_t kBytes = 1u << 20;
  void* matrix = nullptr;
  check(cudaMalloc(&matrix, kBytes) == cudaSuccess, "cudaMalloc");
  check(cudaMemset(matrix, 1, kBytes) == cudaSuccess, "cudaMemset");
  for (const Case& c : cases()) {
    CUtensorMap map;
    const cuuint64_t sizes[] = {static_cast<cuuint64_t>(c.width), static_cast<cuuint64_t>(c.height)};
    const cuuint64_t strides[] = {static_cast<cuuint64_t>(c.pitch)};
    const cuuint32_t box[] = {static_cast<cuuint32_t>(c.inner / 2), static_cast<cuuint32_t>(c.rows)};
    const cuuint32_t steps[] = {1, 1};
    const auto swizzle = c.swizzle == 0    ? CU_TENSOR_MAP_SWIZZLE_NONE
                         : c.swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                         : c.swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                           : CU_TENSOR_MAP_SWIZZLE_128B;
    check(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix, sizes, strides, box, steps,
                                 CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS,
          "cuTensorMapEncodeTiled");
    cudaLaunchAttribute cluster;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = static_cast<unsigned>(c.cluster);
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(c.cluster));
    config.blockDim = dim3(1);
    config.dynamicSmemBytes = 65536 / 2;
    config.attrs = &cluster;
    config.numAttrs = 1;
    check(cudaLaunchKernelEx(&config, load, map, c.x, c.y, c.mask, c.multicast,
                             static_cast<unsigned>(c.inner * c.rows)) == cudaSuccess,
          "launch");
    if (cudaDeviceSynchronize() != cudaSuccess) std::fprintf(stderr, "FAILED next\n");
    std::fprintf(stderr, "case %s %d %u %d %d %d %d %d %d %d %d\n", c.multicast ? "multicast" : "plain", c.cluster, c.mask,
                 c.swizzle, c.inner, c.rows, c.pitch, c.x, c.y, c.width, c.height);
  }
  return 0;
}
