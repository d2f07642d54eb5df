// SPDX-License-Identifier: GPL-3.0-or-later
// More functions, for stages with thread block clusters: CLUSTER blocks with
// neighbouring numbers run at the same time and access each other's shared
// memory. In addition to those of roles.cuh:
//
//   in a stage                     on the GPU                          on the host (emulator)
//   -----------------------------  ----------------------------------  ---------------------------------
//   CLUSTER_KERNEL(id, threads)    an entry as ROLES_KERNEL, in        an emulated thread
//                                  clusters of CLUSTER blocks
//   meet_cluster()                 waits until all threads of all      the same
//                                  blocks of the cluster arrive
//   arrive_at(bar, rank)           one arrival at this barrier of      the same
//                                  the block with this rank
//   load_box_to(ranks, p, A, x,    a TMA multicast load for all        a copy for each of them, which
//     y, bar)                      blocks in `ranks`, a bit each: the  counts on its own barrier
//                                  box is read once, arrives at the
//                                  same place of each, and counts on
//                                  the same mbarrier of each
#pragma once

#if defined(__CUDACC__)

#define CLUSTER_KERNEL(name, threads) \
  extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(threads, 1) name

__device__ __forceinline__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// With the default semantics: an explicit .release.cluster costs a quarter of the speed.
__device__ __forceinline__ void arrive_at(barrier* bar, const uint rank) {
  asm volatile(
      "{\n.reg .b32 its;\nmapa.shared::cluster.u32 its, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [its];\n}" ::"r"(shared_address(bar)),
      "r"(rank)
      : "memory");
}

__device__ __forceinline__ void load_box_to(const uint ranks, element* to, const tensor_map& from, const uint x,
                                            const uint y, barrier* bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(&from), "r"(x), "r"(y), "r"(shared_address(bar)), "h"(static_cast<unsigned short>(ranks))
      : "memory");
}

#else
#include "kernels/device/cluster_on_host.h"
#endif
