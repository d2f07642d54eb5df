// SPDX-License-Identifier: GPL-3.0-or-later
// tensor.cuh on the host: a stage is a member function of a TensorThread, whose warps meet at the
// instructions that they execute as a whole.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kernels/device/on_host.h"

namespace tileloom::emulator {

// The type of a 16-bit element. Its format is a property of the run.
struct HalfElement {};

// Two elements in one register, the lower half first.
struct HalfPair {
  std::array<RegisterSlot, 2> parts;
};

// Eight elements that are copied from one memory to another.
struct HalfChunk {
  std::array<RegisterSlot, 8> parts;
};

// A pointer to 16-bit elements, which only the functions of tensor.cuh can read and write.
class HalfPointer {
 public:
  HalfPointer(Block* block, std::uint32_t array) : block_(block), array_(array) {}

  HalfPointer operator+(std::integral auto elements) const {
    HalfPointer p = *this;
    p.offset_ += static_cast<std::int64_t>(elements);
    return p;
  }
  HalfPointer& operator+=(std::integral auto elements) {
    offset_ += static_cast<std::int64_t>(elements);
    return *this;
  }

  Block* block() const { return block_; }
  std::uint32_t array() const { return array_; }
  std::int64_t index() const { return offset_; }

 private:
  Block* block_;
  std::uint32_t array_;
  std::int64_t offset_ = 0;
};

// A FRAGMENTS array: `count` pairs of elements.
class Fragments {
 public:
  Fragments(Block* block, const char* name, std::uint32_t count)
      : block_(block), slots_(block->registers(2 * count)), name_(name), count_(count) {}

  Fragments operator+(std::integral auto pairs) const {
    Fragments f = *this;
    f.offset_ += static_cast<std::uint32_t>(pairs);
    return f;
  }

  // The first slot of `pairs` pairs from here on, which must be inside the array.
  RegisterSlot* firstOf(std::uint32_t pairs, int line) const {
    if (offset_ + pairs > count_) [[unlikely]] {
      block_->registerFault(name_, offset_ + pairs - 1, count_, line);
      return pairs <= count_ ? slots_ : block_->registers(2 * pairs);
    }
    return slots_ + std::size_t{2} * offset_;
  }

 private:
  Block* block_;
  RegisterSlot* slots_;
  const char* name_;
  std::uint32_t count_;
  std::uint32_t offset_ = 0;
};

class TensorThread : public Thread {
 public:
  using Thread::Thread;

 protected:
  using element = HalfElement;
  template <class T>
  static constexpr bool kIsHalf = std::is_same_v<std::remove_const_t<T>, HalfElement>;
  template <class T>
  using gmem = std::conditional_t<kIsHalf<T>, HalfPointer, Pointer>;
  template <class T>
  using smem = gmem<T>;

  HalfChunk load8(const HalfPointer& p, int line = __builtin_LINE()) const {
    HalfChunk chunk;
    block_->loadHalves(4, p.array(), p.index(), line, chunk.parts.data());
    return chunk;
  }
  void store8(const HalfPointer& p, const HalfChunk& chunk, int line = __builtin_LINE()) const {
    block_->storeHalves(4, p.array(), p.index(), line, chunk.parts.data());
  }
  void store2(const HalfPointer& p, const HalfPair& pair, int line = __builtin_LINE()) const {
    block_->storeHalves(1, p.array(), p.index(), line, pair.parts.data());
  }
  void copy_async8(const HalfPointer& to, const HalfPointer& from,
                   int line = __builtin_LINE()) const {
    block_->copyHalves(4, to.array(), to.index(), from.array(), from.index(), line);
  }
  template <Readable L, Readable R>
  HalfPair pack(const L& low, const R& high) const {
    return {{rounded(low.get().slot), rounded(high.get().slot)}};
  }

  void load_matrices(const Fragments& r, const HalfPointer& p, int line = __builtin_LINE()) const {
    loadMatrices(r, p, false, line);
  }
  void load_matrices_turned(const Fragments& r, const HalfPointer& p,
                            int line = __builtin_LINE()) const {
    loadMatrices(r, p, true, line);
  }
  void multiply_add(const Registers& acc, const Fragments& a, const Fragments& b,
                    int line = __builtin_LINE()) const {
    WarpRequest request;
    request.kind = Kind::Mma;
    request.line = line;
    request.result = acc.firstOf(4, line);
    request.number = acc.number();
    request.a = a.firstOf(4, line);
    request.b = b.firstOf(2, line);
    block_->executeTogether(request);
  }

  HalfPointer sharedHalves(const char* name, uint count) {
    return {block_, block_->sharedArray(nextShared(), name, 0, count, 2)};
  }
  Fragments fragments(const char* name, uint count) const { return {block_, name, count}; }
  bool mmaStep(uint k, uint count) { return dotIndex(k, count, false); }

 private:
  RegisterSlot rounded(const RegisterSlot& slot) const {
    const Format format = block_->setup().format;
    return {halfValue(format, halfBits(format, slot.value)), slot.provenance};
  }
  void loadMatrices(const Fragments& r, const HalfPointer& p, bool turned, int line) const {
    WarpRequest request;
    request.kind = Kind::MatrixLoad;
    request.turned = turned;
    request.line = line;
    request.array = p.array();
    request.index = p.index();
    request.result = r.firstOf(4, line);
    block_->executeTogether(request);
  }
};

// The body of Stage::enter for a kernel of 16-bit elements.
template <class Kernel>
void enterTensorKernel(Block& block, unsigned thread) {
  Kernel kernel(block, thread);
  const BlockSetup& s = block.setup();
  kernel(static_cast<uint>(s.problem.m), static_cast<uint>(s.problem.n),
         static_cast<uint>(s.problem.k), HalfPointer(&block, kArrayA), HalfPointer(&block, kArrayB),
         HalfPointer(&block, kArrayC));
}

}  // namespace tileloom::emulator

#define KERNEL16(kernel_name, threads)                                                    \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final       \
      : ::tileloom::emulator::TensorThread {                                              \
    using TensorThread::TensorThread;                                                     \
    void operator()(uint M, uint N, uint K, gmem<const element> A, gmem<const element> B, \
                    gmem<element> C);                                                     \
  };                                                                                      \
  inline void kernel_name::operator()

#define SHARED16(first, first_count, second, second_count)         \
  const smem<element> first = sharedHalves(#first, (first_count)); \
  const smem<element> second = sharedHalves(#second, (second_count))
#define FRAGMENTS(array_name, count) const auto array_name = fragments(#array_name, (count))
#define MMA_STEPS(k, count) for (uint k = 0; mmaStep(k, (count)); k += 16)
