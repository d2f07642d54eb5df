// SPDX-License-Identifier: GPL-3.0-or-later
// The portability header on the host. A stage becomes a member function of an emulated thread, so
// that `threadIdx`, `BM` and `__syncthreads()` are members and no global state is needed.
#pragma once

#include <concepts>
#include <cstdint>

#include "kernels/emulator/block.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/tile_shape.h"

namespace tileloom::emulator {

using uint = unsigned int;

// An array index that remembers the source line on which it was written.
struct Index {
  std::int64_t value;
  int line;
  Index(std::integral auto v, int at = __builtin_LINE())  // NOLINT: meant to convert
      : value(static_cast<std::int64_t>(v)), line(at) {}
};

// a * b + c rounded as on the GPU, except for a double rounding that is visible once in 2^29 times.
// The C library's fmaf is exact and, on a build that must start on any x86-64, five times slower.
inline float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
}

// A value in a register, with the element that it is a copy of, or the accumulator that it came
// from.
struct Value {
  RegisterSlot slot;
  Block* block = nullptr;

  const Value& get() const { return *this; }
  static constexpr int line = 0;
};

template <class T>
concept Readable = requires(const T& t) {
  t.get();
  t.line;
};

struct Product {
  Value a, b;
  int line;
};

template <Readable L, Readable R>
Product operator*(const L& left, const R& right) {
  const Value a = left.get();  // in this order, for any evaluation order of the compiler
  const Value b = right.get();
  return {a, b, left.line > right.line ? left.line : right.line};
}

// alpha * x, before it is fused with a second term.
struct Scaled {
  float factor;
  Value value;
  int line;
};

template <Readable R>
Scaled operator*(float factor, const R& right) {
  return {factor, right.get(), right.line};
}

// alpha * acc + beta * c: one multiplication and one multiply-add, as the compiler contracts it.
inline Value operator+(const Scaled& a, const Scaled& b) {
  const int line = a.line > b.line ? a.line : b.line;
  const Provenance kept =
      a.value.slot.provenance.isAccumulator() ? a.value.slot.provenance : b.value.slot.provenance;
  Block* block = a.value.block;
  block->fma(line, a.value.slot.provenance, b.value.slot.provenance, kept);
  return {{fused(a.factor, a.value.slot.value, b.factor * b.value.slot.value), kept}, block};
}

// The value of `A[i]`: reads when used, writes when assigned to.
class MemoryRef {
 public:
  int line;

  MemoryRef(Block* block, std::uint32_t array, std::int64_t at, int sourceLine)
      : line(sourceLine), block_(block), array_(array), index_(at) {}

  Value get() const {
    Value v;
    v.block = block_;
    block_->load<1>(array_, index_, line, &v.slot);
    return v;
  }
  operator Value() const { return get(); }  // NOLINT: meant to convert
  MemoryRef& operator=(const Value& v) {
    block_->store<1>(array_, index_, line, &v.slot);
    return *this;
  }
  MemoryRef& operator=(const MemoryRef& other) { return *this = other.get(); }
  MemoryRef(const MemoryRef&) = default;

 private:
  Block* block_;
  std::uint32_t array_;
  std::int64_t index_;
};

class Pointer {
 public:
  Pointer(Block* block, std::uint32_t array) : block_(block), array_(array) {}

  MemoryRef operator[](Index i) const { return {block_, array_, offset_ + i.value, i.line}; }
  Pointer operator+(std::integral auto elements) const {
    Pointer p = *this;
    p.offset_ += static_cast<std::int64_t>(elements);
    return p;
  }
  Pointer& operator+=(std::integral auto elements) {
    offset_ += static_cast<std::int64_t>(elements);
    return *this;
  }

  template <std::uint32_t Width>
  void load(RegisterSlot* out, int line) const {
    block_->load<Width>(array_, offset_, line, out);
  }
  template <std::uint32_t Width>
  void store(const RegisterSlot* values, int line) const {
    block_->store<Width>(array_, offset_, line, values);
  }
  template <std::uint32_t Width>
  void copyTo(const Pointer& to, int line) const {
    block_->copy<Width>(to.array_, to.offset_, array_, offset_, line);
  }
  Block* block() const { return block_; }
  std::int64_t index() const { return offset_; }

 private:
  Block* block_;
  std::uint32_t array_;
  std::int64_t offset_ = 0;
};

struct Float4 {
  Value x, y, z, w;
};

// One register of a REGISTERS array.
class RegisterRef {
 public:
  int line;

  RegisterRef(Block* block, RegisterSlot* slot, std::uint32_t number, int sourceLine)
      : line(sourceLine), block_(block), slot_(slot), number_(number) {}

  Value get() const { return {*slot_, block_}; }
  std::uint32_t number() const { return number_; }
  operator Value() const { return get(); }  // NOLINT: meant to convert
  RegisterRef& operator=(const Value& v) {
    *slot_ = v.slot;
    return *this;
  }
  RegisterRef& operator=(const RegisterRef& other) { return *this = other.get(); }
  RegisterRef& operator=(const MemoryRef& other) { return *this = other.get(); }
  RegisterRef(const RegisterRef&) = default;

  void operator+=(const Product& p) const {
    slot_->value = fused(p.a.slot.value, p.b.slot.value, slot_->value);
    slot_->provenance = Provenance::accumulator(number_);
    block_->fma(line != 0 ? line : p.line, p.a.slot.provenance, p.b.slot.provenance,
                slot_->provenance);
  }

 private:
  Block* block_;
  RegisterSlot* slot_;
  std::uint32_t number_;  // within the thread
};

class Registers {
 public:
  Registers(Block* block, const char* name, std::uint32_t count, std::uint32_t firstNumber)
      : block_(block),
        slots_(block->registers(count)),
        name_(name),
        count_(count),
        firstNumber_(firstNumber) {}

  RegisterRef operator[](Index i) const {
    auto at = static_cast<std::uint32_t>(i.value + offset_);
    if (at >= count_) [[unlikely]] {
      block_->registerFault(name_, at, count_, i.line);
      at = 0;
    }
    return {block_, slots_ + at, firstNumber_ + at, i.line};
  }
  Registers operator+(std::integral auto elements) const {
    Registers r = *this;
    r.offset_ += static_cast<std::uint32_t>(elements);
    return r;
  }

  // The first of `count` registers from here on, which must be inside the array, and its number.
  RegisterSlot* firstOf(std::uint32_t count, int line) const {
    if (offset_ + count > count_) [[unlikely]] {
      block_->registerFault(name_, offset_ + count - 1, count_, line);
      return count <= count_ ? slots_ : block_->registers(count);
    }
    return slots_ + offset_;
  }
  std::uint32_t number() const { return firstNumber_ + offset_; }

 private:
  Block* block_;
  RegisterSlot* slots_;
  const char* name_;
  std::uint32_t count_;
  std::uint32_t offset_ = 0;
  std::uint32_t firstNumber_;
};

// A REGISTER: a single accumulator.
class Accumulator : public RegisterRef {
 public:
  Accumulator(Block* block, std::uint32_t number)
      : RegisterRef(block, block->registers(1), number, 0) {}
};

struct Dim {
  uint x = 0, y = 0, z = 0;
};

// Each tile parameter as the constant in a kernel's source.
struct ParameterConstants {
#define TILELOOM_CONSTANT(name, ...) uint name;
  TILELOOM_TILE_PARAMETERS(TILELOOM_CONSTANT)
#undef TILELOOM_CONSTANT
};

inline ParameterConstants constantsOf(const TileShape& tile) {
  ParameterConstants constants;
#define TILELOOM_SET(name, ...) constants.name = static_cast<uint>(tile[Parameter::name]);
  TILELOOM_TILE_PARAMETERS(TILELOOM_SET)
#undef TILELOOM_SET
  return constants;
}

// The base of every stage. All of it is inline: if no thread's address escapes, the compiler keeps
// tile parameters and indices in machine registers, which more than halves the time of a trace.
class Thread : protected ParameterConstants {
 public:
  Thread(Block& block, uint linear)
      : ParameterConstants(constantsOf(block.setup().tile)),
        blockIdx(dim(block.resident().block)),
        blockDim(dim(block.launch().block)),
        gridDim(dim(block.launch().grid)),
        block_(&block) {
    threadIdx = {linear % blockDim.x, linear / blockDim.x, 0};
  }

 protected:
  using uint = emulator::uint;
  using float4 = Float4;
  template <class T>
  using gmem = Pointer;
  template <class T>
  using smem = Pointer;
  template <class T>
  using reg = Value;

  Dim threadIdx, blockIdx, blockDim, gridDim;

  void __syncthreads(int line = __builtin_LINE()) {
    block_->barrier(line);
    goOn();
  }
  // After each wait of the thread a new list of instructions begins, and the loops continue at
  // their positions.
  void goOn() const {
    if (kTile_ != kNoTile) block_->position(kTile_, dot_, true);
  }

  Float4 load4(const Pointer& p, int line = __builtin_LINE()) const {
    RegisterSlot s[4];
    p.load<4>(s, line);
    return {{s[0], block_}, {s[1], block_}, {s[2], block_}, {s[3], block_}};
  }
  void store4(const Pointer& p, const Float4& v, int line = __builtin_LINE()) const {
    const RegisterSlot s[4] = {v.x.slot, v.y.slot, v.z.slot, v.w.slot};
    p.store<4>(s, line);
  }
  void load_run(const Registers& r, const Pointer& p, uint count,
                int line = __builtin_LINE()) const {
    if (count % 4 == 0) {
      loadRun<4>(r, p, count, line);
    } else if (count % 2 == 0) {
      loadRun<2>(r, p, count, line);
    } else {
      loadRun<1>(r, p, count, line);
    }
  }

  void store_run(const Pointer& p, const Registers& r, uint count,
                 int line = __builtin_LINE()) const {
    if (count % 4 == 0) {
      storeRun<4>(p, r, count, line);
    } else if (count % 2 == 0) {
      storeRun<2>(p, r, count, line);
    } else {
      storeRun<1>(p, r, count, line);
    }
  }
  // The GPU's one-register address is the checked pointer itself.
  static Pointer address(const Pointer& p) { return p; }
  static int stride(uint floats) { return static_cast<int>(floats); }
  void copy_async(const Pointer& to, const Pointer& from, int line = __builtin_LINE()) const {
    from.copyTo<1>(to, line);
  }
  void copy_async4(const Pointer& to, const Pointer& from, int line = __builtin_LINE()) const {
    from.copyTo<4>(to, line);
  }
  void commit_copies(int line = __builtin_LINE()) const { block_->commitCopies(line); }
  void wait_copies(uint newest, int line = __builtin_LINE()) const {
    block_->waitForCopies(newest, line);
  }
  bool hasK(uint k) const { return k < block_->kEnd(); }

  // The conditions of the loop macros.
  bool kTile(uint k0, uint k, uint step) {
    const bool more = k0 < k && k0 < block_->kLimit();
    kTile_ = more ? walk_ * ((block_->kLimit() + step - 1) / step) + k0 / step : kNoTile;
    // Where a trace ends early, the copies for later K tiles are still in flight; at the kernel's
    // own end they are not. Warps with roles load only what others use.
    if (!more && k0 < k && !block_->setup().rung()->features().roles) block_->settleCopies();
    return at(kNoDot, true, more);
  }
  bool kDot(uint k, uint count) {
    const bool more = k < count && k < block_->kLimit();
    if (more) {
      block_->position(k / block_->stepK(), static_cast<std::uint16_t>(k % block_->stepK()), true);
    } else {
      block_->position(kNoTile, kNoDot, true);
    }
    return more;
  }
  bool dotIndex(uint dot, uint count, bool fence) {
    const bool more = dot < count;
    return at(more ? static_cast<std::uint16_t>(dot) : kNoDot, fence || !more, more);
  }

  Pointer sharedTile(const char* name, uint rows, uint count) {
    return {block_, block_->sharedArray(nextShared(), name, rows, count)};
  }
  uint nextShared() { return sharedCount_++; }
  Registers registerArray(const char* name, uint count) {
    const uint first = registerCount_;
    registerCount_ += count;
    return {block_, name, count, first};
  }
  Accumulator accumulator() { return {block_, registerCount_++}; }

  // For a persistent block: the first traced block tile, and whether there are more.
  uint firstTile(uint first, uint step) {
    walkStart_ = first + static_cast<uint>(block_->resident().walk) * step;
    walkStep_ = step;
    return walkStart_;
  }
  bool hasTile(uint tile, uint count) {
    walk_ = (tile - walkStart_) / walkStep_;
    return tile < count && walk_ < block_->setup().walks;
  }
  uint walk() const { return walk_; }
  void setWalk(uint walk) { walk_ = walk; }
  void setKTile(uint kTile) {
    kTile_ = kTile;
    at(kNoDot, true, true);
  }

  Block* block_;

 private:
  static Dim dim(const Extent& e) { return {static_cast<uint>(e.x), static_cast<uint>(e.y), 1}; }

  template <uint Width>
  void loadRun(const Registers& r, const Pointer& p, uint count, int line) const {
    RegisterSlot s[Width];
    for (uint i = 0; i < count; i += Width) {
      (p + i).template load<Width>(s, line);
      for (uint w = 0; w < Width; ++w) r[Index(i + w, line)] = Value{s[w], block_};
    }
  }

  template <uint Width>
  void storeRun(const Pointer& p, const Registers& r, uint count, int line) const {
    RegisterSlot s[Width];
    for (uint i = 0; i < count; i += Width) {
      for (uint w = 0; w < Width; ++w) s[w] = r[Index(i + w, line)].get().slot;
      (p + i).template store<Width>(s, line);
    }
  }

  // The present position of the loops over K; returns `more`.
  bool at(std::uint16_t dot, bool fence, bool more) {
    dot_ = dot;
    block_->position(kTile_, dot_, fence);
    return more;
  }

  uint walk_ = 0, walkStart_ = 0, walkStep_ = 1;
  uint kTile_ = kNoTile;
  std::uint16_t dot_ = kNoDot;
  uint sharedCount_ = 0;
  uint registerCount_ = 0;
};

// The body of Stage::enter for one kernel class.
template <class Kernel>
void enterKernel(Block& block, unsigned thread) {
  Kernel kernel(block, thread);
  const BlockSetup& s = block.setup();
  kernel(static_cast<uint>(s.problem.m), static_cast<uint>(s.problem.n),
         static_cast<uint>(s.problem.k), s.alpha, Pointer(&block, kArrayA),
         Pointer(&block, kArrayB), s.beta, Pointer(&block, kArrayC));
}

}  // namespace tileloom::emulator

// Stages without edge checks do not use M, and show this only by their signature.
#define KERNEL(kernel_name, threads)                                                               \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final                \
      : ::tileloom::emulator::Thread {                                                             \
    using Thread::Thread;                                                                          \
    void operator()(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, \
                    float beta, gmem<float> C);                                                    \
  };                                                                                               \
  inline void kernel_name::operator()

#define SHARED_TILES(first, first_count, second, second_count)    \
  const smem<float> first = sharedTile(#first, 0, (first_count)); \
  const smem<float> second = sharedTile(#second, 0, (second_count))
#define REGISTERS(type, array_name, count) \
  const auto array_name = registerArray(#array_name, (count))
#define REGISTER(type, name) const auto name = accumulator()
#define CONSTANT const
#define UNROLL

#define K_TILES(k0, step) for (uint k0 = 0; kTile(k0, K, (step)); k0 += (step))
#define UNROLLED_K_TILES(k0, step) K_TILES (k0, step)
#define K_DOTS(k) for (uint k = 0; kDot(k, K); ++k)
#define DOTS(dot, count) for (uint dot = 0; dotIndex(dot, (count), true); ++dot)
#define UNROLLED_DOTS(dot, count) for (uint dot = 0; dotIndex(dot, (count), false); ++dot)
#define ROLLED_DOTS(dot, count) DOTS (dot, count)

#define HAS_K(k) hasK(k)
