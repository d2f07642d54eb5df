// SPDX-License-Identifier: GPL-3.0-or-later
// cluster.cuh on the host. All blocks of a cluster run, each with a memory of its own.
#pragma once

#include "kernels/device/roles_on_host.h"

namespace tileloom::emulator {

class ClusterThread : public RolesThread {
 public:
  using RolesThread::RolesThread;

 protected:
  void meet_cluster(int line = __builtin_LINE()) const {
    agents().meetCluster(line);
    goOn();
  }
  void arrive_at(const BarrierPointer& bar, uint rank, int line = __builtin_LINE()) const {
    agents().arriveAt(bar.number(), rank, line);
  }
  void load_box_to(uint ranks, const ElementPointer& to, const TensorMap& from, uint x, uint y,
                   const BarrierPointer& bar, int line = __builtin_LINE()) const {
    askForBox(ranks, to, from, x, y, bar, line);
  }
};

}  // namespace tileloom::emulator

#define CLUSTER_KERNEL(kernel_name, threads)                                        \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final \
      : ::tileloom::emulator::ClusterThread {                                       \
    using ClusterThread::ClusterThread;                                             \
    void operator()(uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C);   \
  };                                                                                \
  inline void kernel_name::operator()
