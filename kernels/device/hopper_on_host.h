// SPDX-License-Identifier: GPL-3.0-or-later
// hopper.cuh on the host: a stage is a member function of a HopperThread, and the block's agents do
// the work of TMA, the mbarriers and the tensor cores.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "kernels/device/tensor_on_host.h"
#include "kernels/emulator/agents.h"

namespace tileloom::emulator {

// One of a block's mbarriers, or the first of several.
class BarrierPointer {
 public:
  explicit BarrierPointer(std::uint32_t number) : number_(number) {}
  BarrierPointer operator+(std::integral auto barriers) const {
    return BarrierPointer(number_ + static_cast<std::uint32_t>(barriers));
  }
  std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};

// A tensor map: a matrix and the shape of its box.
struct TensorMap {
  std::uint32_t matrix = 0;
};

class HopperThread : public TensorThread {
 public:
  HopperThread(Block& block, uint linear) : TensorThread(block, linear), agents_(block.agents()) {}

 protected:
  BarrierPointer barriers(const char* name, uint count) {
    return BarrierPointer(agents_.barriers(barrierArrays_++, name, count));
  }
  void start(const BarrierPointer& bar, uint count, int line = __builtin_LINE()) const {
    agents_.start(bar.number(), count, line);
  }
  void publish_barriers(int line = __builtin_LINE()) const { agents_.publishBarriers(line); }
  void expect(const BarrierPointer& bar, uint bytes, int line = __builtin_LINE()) const {
    agents_.expect(bar.number(), bytes, line);
  }
  void wait(const BarrierPointer& bar, uint parity, int line = __builtin_LINE()) const {
    agents_.wait(bar.number(), parity, line);
    goOn();
  }
  void load_box(const ElementPointer& to, const TensorMap& from, uint x, uint y,
                const BarrierPointer& bar, int line = __builtin_LINE()) const {
    askForBox(0, to, from, x, y, bar, line);
  }
  std::uint64_t operand(const ElementPointer& p, uint lead, uint stride, uint swizzle) const {
    return agents_.operand(p.array(), p.index(), lead, stride, swizzle);
  }
  void fence_async(int line = __builtin_LINE()) const { agents_.fenceAsync(line); }
  void fence_products(int line = __builtin_LINE()) const { agents_.fenceProducts(line); }
  void multiply_add_group(const Registers& acc, uint columns, std::uint64_t a, std::uint64_t b,
                          int line = __builtin_LINE()) const {
    agents_.multiply({acc.firstOf(columns / 2, line), acc.number(), columns, a, b}, line);
  }
  // A sum leaves its register only when the tensor core no longer updates it.
  template <Readable L, Readable R>
  ElementPack pack(const L& low, const R& high, int line = __builtin_LINE()) const {
    use(low, line);
    use(high, line);
    return TensorThread::pack(low, high);
  }
  void commit_products(int line = __builtin_LINE()) const { agents_.commitProducts(line); }
  void wait_products(uint newest, int line = __builtin_LINE()) const {
    agents_.waitForProducts(newest, line);
    goOn();
  }
  Agents& agents() const { return agents_; }
  // `ranks` as in BoxRequest.
  void askForBox(uint ranks, const ElementPointer& to, const TensorMap& from, uint x, uint y,
                 const BarrierPointer& bar, int line) const {
    agents_.loadBox({to.array(), to.index(), from.matrix, static_cast<std::int32_t>(x),
                     static_cast<std::int32_t>(y), bar.number(), walk(), ranks},
                    line);
  }

 private:
  template <Readable R>
  void use(const R& value, int line) const {
    if constexpr (requires { value.number(); })
      agents_.useSum(value.get().slot, value.number(), line);
  }

  Agents& agents_;
  uint barrierArrays_ = 0;
};

// The body of Stage::enter for a kernel that takes tensor maps.
template <class Kernel>
void enterHopperKernel(Block& block, unsigned thread) {
  Kernel kernel(block, thread);
  const BlockSetup& s = block.setup();
  kernel(static_cast<uint>(s.problem.m), static_cast<uint>(s.problem.n),
         static_cast<uint>(s.problem.k), TensorMap{kArrayA}, TensorMap{kArrayB},
         ElementPointer(&block, kArrayC));
}

}  // namespace tileloom::emulator

#define TENSOR ::tileloom::emulator::TensorMap
#define TENSOR_KERNEL(kernel_name, threads)                                         \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final \
      : ::tileloom::emulator::HopperThread {                                        \
    using HopperThread::HopperThread;                                               \
    void operator()(uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C);   \
  };                                                                                \
  inline void kernel_name::operator()

// The names of matrices in a BOX, as their numbers in a Box.
#define TILELOOM_MATRIX_A ::tileloom::emulator::kArrayA
#define TILELOOM_MATRIX_B ::tileloom::emulator::kArrayB
#define BOX(matrix, columns, rows, swizzle)                                      \
  ::tileloom::Box {                                                              \
    TILELOOM_MATRIX_##matrix, static_cast<int>(columns), static_cast<int>(rows), \
        static_cast<int>(swizzle)                                                \
  }
#define BOXES(kernel_name, ...)                                                       \
  struct kernel_name##_parameters : ::tileloom::emulator::ParameterConstants {        \
    std::vector<::tileloom::Box> boxes() const { return {__VA_ARGS__}; }              \
  };                                                                                  \
  inline std::vector<::tileloom::Box> kernel_name##_boxes(const TileShape& tile) {    \
    return kernel_name##_parameters{::tileloom::emulator::constantsOf(tile)}.boxes(); \
  }

#define SHARED_BOXES(first, first_count, second, second_count) \
  SHARED16(first, first_count, second, second_count)
#define BARRIERS(array_name, count) const auto array_name = barriers(#array_name, (count))
