// SPDX-License-Identifier: GPL-3.0-or-later
// stored.cuh on the host.
#pragma once

#include "kernels/device/cluster_on_host.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::emulator {

class StoredThread : public ClusterThread {
 public:
  using ClusterThread::ClusterThread;

 protected:
  template <Readable L, Readable R>
  void pack_to(const Fragments& r, const L& low, const R& high, int line = __builtin_LINE()) const {
    const ElementPack pair = pack(low, high, line);
    RegisterSlot* const to = r.firstOf(1, line);
    to[0] = pair.parts[0];
    to[1] = pair.parts[1];
  }
  void store_matrices(const ElementPointer& p, const Fragments& r,
                      int line = __builtin_LINE()) const {
    WarpRequest request;
    request.kind = Kind::MatrixStore;
    request.line = line;
    request.array = p.array();
    request.index = p.index();
    request.a = r.firstOf(kMatrices, line);
    block_->executeTogether(request);
  }
  void meet_group(int line = __builtin_LINE()) const {
    constexpr uint kThreads = kWarpsPerGroup * kWarpSize;
    meet(threadIdx.x / kThreads + 1, kThreads, line);
  }
  void store_box(const TensorMap& to, uint x, uint y, const ElementPointer& from,
                 int line = __builtin_LINE()) const {
    BoxRequest request;
    request.array = from.array();
    request.index = from.index();
    request.matrix = to.matrix;
    request.x = static_cast<std::int32_t>(x);
    request.y = static_cast<std::int32_t>(y);
    request.walk = walk();
    agents().storeBox(request, line);
  }
  void commit_boxes(int line = __builtin_LINE()) const { agents().commitBoxes(line); }
  void wait_boxes(uint newest, int line = __builtin_LINE()) const {
    agents().waitForBoxes(newest, line);
  }
};

// The body of Stage::enter for a kernel that also takes C as a tensor map.
template <class Kernel>
void enterStoredKernel(Block& block, unsigned thread) {
  Kernel kernel(block, thread);
  const BlockSetup& s = block.setup();
  kernel(static_cast<uint>(s.problem.m), static_cast<uint>(s.problem.n),
         static_cast<uint>(s.problem.k), TensorMap{kArrayA}, TensorMap{kArrayB},
         TensorMap{kArrayC});
}

}  // namespace tileloom::emulator

#define STORED_KERNEL(kernel_name, threads)                                         \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final \
      : ::tileloom::emulator::StoredThread {                                        \
    using StoredThread::StoredThread;                                               \
    void operator()(uint M, uint N, uint K, TENSOR A, TENSOR B, TENSOR C);          \
  };                                                                                \
  inline void kernel_name::operator()

#define TILELOOM_MATRIX_C ::tileloom::emulator::kArrayC
