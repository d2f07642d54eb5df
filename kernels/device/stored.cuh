// SPDX-License-Identifier: GPL-3.0-or-later
// More functions, for stages that store C with TMA. In addition to those of cluster.cuh:
//
//   in a stage                     on the GPU                          on the host (emulator)
//   -----------------------------  ----------------------------------  ---------------------------------
//   STORED_KERNEL(id, threads)     an entry as CLUSTER_KERNEL, which   an emulated thread
//                                  also takes C as a tensor map
//   pack_to(r, low, high)          *r = pack(low, high)                the same, rounded the same way
//   store_matrices(p, r)           stores four matrices of 8 x 8, one  the warp's lanes meet and exchange
//                                  per register; the lane l names
//                                  row l % 8 of matrix l / 8 with p:
//                                  stmatrix
//   meet_group()                   a barrier for the four warps of a   the threads wait until all arrive
//                                  warpgroup
//   store_box(C, x, y, p)          a TMA store of a box from p on, at  the elements are stored at once; a
//                                  row y and column x of C, without    thread that overwrites them must
//                                  the part outside                    have waited
//   commit_boxes()                 closes a group of TMA stores        the same
//   wait_boxes(n)                  until all but the n newest groups   the same
//                                  of this thread have been read
//
// Lane l holds row l / 4 of each matrix, columns l % 4 * 2 and + 1, as
// multiply_add_group leaves 8 x 8 sums. fence_async() makes what threads have
// stored visible to TMA, before the threads meet and one of them issues the store.
#pragma once

#if defined(__CUDACC__)

#define STORED_KERNEL(name, threads) CLUSTER_KERNEL(name, threads)

__device__ __forceinline__ void pack_to(uint* r, const float low, const float high) { *r = pack(low, high); }

__device__ __forceinline__ void store_matrices(element* p, const uint* r) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(p)), "r"(r[0]),
               "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
}

// Each warpgroup has a barrier of its own, besides that of __syncthreads().
__device__ __forceinline__ void meet_group() {
  asm volatile("bar.sync %0, 128;" ::"r"(threadIdx.x / 128 + 1) : "memory");
}

__device__ __forceinline__ void store_box(const tensor_map& to, const uint x, const uint y, const element* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(x), "r"(y),
               "r"(shared_address(from))
               : "memory");
}

__device__ __forceinline__ void commit_boxes() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
#define wait_boxes(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")

#else
#include "kernels/device/stored_on_host.h"
#endif
