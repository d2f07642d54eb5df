// SPDX-License-Identifier: GPL-3.0-or-later
// tensor.cuh on the host: a stage is a member function of a TensorThread, whose warps meet at the
// instructions that they execute as a whole.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kernels/device/on_host.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::emulator {

// The type of an element of a tensor core kernel. Its format is a property of the run.
struct ElementTag {};

// The elements of one register, the lowest bits first: two of 16 bits.
struct ElementPack {
  std::array<RegisterSlot, 2> parts;
};

// The elements of 16 bytes that are copied from one memory to another: eight of 16 bits.
struct ElementChunk {
  Room<RegisterSlot, kMostRowElements> parts;
};

// A pointer to such elements, which only the functions of tensor.cuh and elements.cuh can read and
// write.
class ElementPointer {
 public:
  ElementPointer(Block* block, std::uint32_t array) : block_(block), array_(array) {}

  ElementPointer operator+(std::integral auto elements) const {
    ElementPointer p = *this;
    p.offset_ += static_cast<std::int64_t>(elements);
    return p;
  }
  ElementPointer& operator+=(std::integral auto elements) {
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

// A FRAGMENTS array: `count` registers of elements.
class Fragments {
 public:
  Fragments(Block* block, const char* name, std::uint32_t count)
      : block_(block),
        parts_(block->format().elementsPerWord()),
        slots_(block->registers(parts_ * count)),
        name_(name),
        count_(count) {}

  Fragments operator+(std::integral auto registers) const {
    Fragments f = *this;
    f.offset_ += static_cast<std::uint32_t>(registers);
    return f;
  }

  // The first slot of `count` registers from here on, which must be inside the array.
  RegisterSlot* firstOf(std::uint32_t count, int line) const {
    if (offset_ + count > count_) [[unlikely]] {
      block_->registerFault(name_, offset_ + count - 1, count_, line);
      return count <= count_ ? slots_ : block_->registers(parts_ * count);
    }
    return slots_ + std::size_t{parts_} * offset_;
  }

 private:
  Block* block_;
  std::uint32_t parts_;
  RegisterSlot* slots_;
  const char* name_;
  std::uint32_t count_;
  std::uint32_t offset_ = 0;
};

class TensorThread : public Thread {
 public:
  using Thread::Thread;

 protected:
  using element = ElementTag;
  template <class T>
  static constexpr bool kIsElement = std::is_same_v<std::remove_const_t<T>, ElementTag>;
  template <class T>
  using gmem = std::conditional_t<kIsElement<T>, ElementPointer, Pointer>;
  template <class T>
  using smem = gmem<T>;

  ElementChunk load8(const ElementPointer& p, int line = __builtin_LINE()) const {
    ElementChunk chunk;
    block_->loadElements(4, p.array(), p.index(), line, chunk.parts.data());
    return chunk;
  }
  void store8(const ElementPointer& p, const ElementChunk& chunk,
              int line = __builtin_LINE()) const {
    block_->storeElements(4, p.array(), p.index(), line, chunk.parts.data());
  }
  void store2(const ElementPointer& p, const ElementPack& pair, int line = __builtin_LINE()) const {
    block_->storeElements(1, p.array(), p.index(), line, pair.parts.data());
  }
  void copy_async8(const ElementPointer& to, const ElementPointer& from,
                   int line = __builtin_LINE()) const {
    block_->copyElements(4, to.array(), to.index(), from.array(), from.index(), line);
  }
  template <Readable L, Readable R>
  ElementPack pack(const L& low, const R& high) const {
    return {{rounded(low.get().slot), rounded(high.get().slot)}};
  }

  void load_matrices(const Fragments& r, const ElementPointer& p,
                     int line = __builtin_LINE()) const {
    loadMatrices(r, p, false, line);
  }
  void load_matrices_turned(const Fragments& r, const ElementPointer& p,
                            int line = __builtin_LINE()) const {
    loadMatrices(r, p, true, line);
  }
  void multiply_add(const Registers& acc, const Fragments& a, const Fragments& b,
                    int line = __builtin_LINE()) const {
    multiply<4, 2>(block_->multiplyAddRow(), acc, a, b, line);
  }
  // The instruction of this row, with so many registers of A and of B. The function of a second
  // instruction of a width is a call of it.
  template <std::uint32_t OfA, std::uint32_t OfB>
  void multiply(const MmaRow& row, const Registers& acc, const Fragments& a, const Fragments& b,
                int line) const {
    WarpRequest request;
    request.kind = Kind::Mma;
    request.line = line;
    request.mma = &row;
    request.result = acc.firstOf(4, line);
    request.number = acc.number();
    request.a = a.firstOf(OfA, line);
    request.b = b.firstOf(OfB, line);
    block_->executeTogether(request);
  }

  ElementPointer sharedElements(const char* name, uint count) {
    return {block_,
            block_->sharedArray(nextShared(), name, 0, count, block_->format().elementsPerWord())};
  }
  Fragments fragments(const char* name, uint count) const { return {block_, name, count}; }
  bool mmaStep(uint k, uint count) { return dotIndex(k, count, false); }

  // As an element holds it.
  RegisterSlot rounded(const RegisterSlot& slot) const {
    return {block_->format().rounded(slot.value), slot.provenance};
  }

 private:
  void loadMatrices(const Fragments& r, const ElementPointer& p, bool turned, int line) const {
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

// The body of Stage::enter for a kernel of elements of tensor cores.
template <class Kernel>
void enterTensorKernel(Block& block, unsigned thread) {
  Kernel kernel(block, thread);
  const BlockSetup& s = block.setup();
  kernel(static_cast<uint>(s.problem.m), static_cast<uint>(s.problem.n),
         static_cast<uint>(s.problem.k), ElementPointer(&block, kArrayA),
         ElementPointer(&block, kArrayB), ElementPointer(&block, kArrayC));
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

#define SHARED16(first, first_count, second, second_count)           \
  const smem<element> first = sharedElements(#first, (first_count)); \
  const smem<element> second = sharedElements(#second, (second_count))
#define FRAGMENTS(array_name, count) const auto array_name = fragments(#array_name, (count))
#define MMA_STEPS(k, count) for (uint k = 0; mmaStep(k, (count)); k += 16)
