// SPDX-License-Identifier: GPL-3.0-or-later
// A thread whose words check first whether they are to be mutated. A stage is compiled a second
// time as a member of this class, so that its words are found in the class first. A run of the
// stage gives its words and their lines.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "tests/support/planted.h"

namespace tileloom::test {

// A word in a line of a stage, and its change.
struct Mutation {
  std::string word;
  int line = 0;
  std::string change;
  auto operator<=>(const Mutation&) const = default;
};

// The active mutation, and all possible ones, in the order of execution.
inline const Mutation* atWork = nullptr;
inline std::set<Mutation>* met = nullptr;

// Whether this change of this word is active.
inline bool changed(const char* word, int line, const char* change) {
  if (met != nullptr) met->insert({word, line, change});
  return atWork != nullptr && atWork->line == line && atWork->word == word &&
         atWork->change == change;
}

// The words of hopper.cuh and of earlier headers. It is a SplitThread, so that the words of later
// rungs can be added to it.
class MutantThread : public emulator::SplitThread {
 protected:
  using Halves = emulator::ElementPointer;
  using Barriers = emulator::BarrierPointer;
  using Map = emulator::TensorMap;

 public:
  using SplitThread::SplitThread;

 protected:
  void start(const Barriers& bar, uint count, int line = __builtin_LINE()) const {
    if (changed("start", line, "left out")) return;
    if (changed("start", line, "one arrival more")) ++count;
    HopperThread::start(bar, count, line);
  }
  void publish_barriers(int line = __builtin_LINE()) const {
    if (!changed("publish_barriers", line, "left out")) HopperThread::publish_barriers(line);
  }
  void expect(const Barriers& bar, uint bytes, int line = __builtin_LINE()) const {
    if (changed("expect", line, "left out")) return;
    if (changed("expect", line, "16 bytes more")) bytes += 16;
    if (changed("expect", line, "16 bytes fewer")) bytes -= 16;
    if (changed("expect", line, "half of the bytes")) bytes /= 2;
    if (changed("expect", line, "no bytes")) bytes = 0;
    if (changed("expect", line, "at the next barrier"))
      return HopperThread::expect(bar + 1, bytes, line);
    if (changed("expect", line, "twice")) HopperThread::expect(bar, 0, line);
    HopperThread::expect(bar, bytes, line);
  }
  void wait(const Barriers& bar, uint parity, int line = __builtin_LINE()) const {
    if (changed("wait", line, "left out")) return;
    if (changed("wait", line, "the other parity")) parity ^= 1;
    if (changed("wait", line, "always for parity 0")) parity = 0;
    if (changed("wait", line, "always for parity 1")) parity = 1;
    if (changed("wait", line, "at the next barrier"))
      return HopperThread::wait(bar + 1, parity, line);
    HopperThread::wait(bar, parity, line);
  }
  void load_box(const Halves& to, const Map& from, uint x, uint y, const Barriers& bar,
                int line = __builtin_LINE()) const {
    const auto load = [&](const Halves& at, uint column, uint row, int barrier) {
      HopperThread::load_box(at, from, column, row, bar + barrier, line);
    };
    if (changed("load_box", line, "left out")) return;
    if (changed("load_box", line, "twice")) load(to, x, y, 0);
    if (changed("load_box", line, "8 columns further")) return load(to, x + 8, y, 0);
    if (changed("load_box", line, "a row further")) return load(to, x, y + 1, 0);
    if (changed("load_box", line, "column and row exchanged")) return load(to, y, x, 0);
    if (changed("load_box", line, "8 elements beside")) return load(to + 8, x, y, 0);
    if (changed("load_box", line, "8 rows beside")) return load(to + 4 * SWIZZLE, x, y, 0);
    if (changed("load_box", line, "on the next barrier")) return load(to, x, y, 1);
    load(to, x, y, 0);
  }
  std::uint64_t operand(Halves p, uint lead, uint stride, uint swizzle,
                        int line = __builtin_LINE()) const {
    if (changed("operand", line, "16 elements further")) p += 16;
    if (changed("operand", line, "8 rows further")) p += 4 * SWIZZLE;
    if (changed("operand", line, "twice the lead")) lead *= 2;
    if (changed("operand", line, "twice the stride")) stride *= 2;
    if (changed("operand", line, "half the stride")) stride /= 2;
    if (changed("operand", line, "half the swizzle")) swizzle /= 2;
    if (changed("operand", line, "twice the swizzle")) swizzle *= 2;
    if (changed("operand", line, "no swizzle")) swizzle = 0;
    return HopperThread::operand(p, lead, stride, swizzle);
  }
  void fence_async(int line = __builtin_LINE()) const {
    if (changed("fence_async", line, "left out")) return;
    if (changed("fence_async", line, "left out by a warp") && threadIdx.x / 32 == 0) return;
    HopperThread::fence_async(line);
  }
  void fence_products(int line = __builtin_LINE()) const {
    if (changed("fence_products", line, "left out")) return;
    if (changed("fence_products", line, "left out by a lane") && threadIdx.x == 37) return;
    HopperThread::fence_products(line);
  }
  void multiply_add_group(const emulator::Registers& acc, uint columns, std::uint64_t a,
                          std::uint64_t b, int line = __builtin_LINE()) const {
    if (changed("multiply_add_group", line, "left out")) return;
    if (changed("multiply_add_group", line, "left out by a warp") && threadIdx.x / 32 == 2) return;
    if (changed("multiply_add_group", line, "left out by a lane") && threadIdx.x == 37) return;
    if (changed("multiply_add_group", line, "twice"))
      HopperThread::multiply_add_group(acc, columns, a, b, line);
    if (changed("multiply_add_group", line, "operands exchanged")) std::swap(a, b);
    HopperThread::multiply_add_group(acc, columns, a, b, line);
  }
  void commit_products(int line = __builtin_LINE()) const {
    if (changed("commit_products", line, "left out")) return;
    if (changed("commit_products", line, "left out by a lane") && threadIdx.x == 37) return;
    HopperThread::commit_products(line);
  }
  void wait_products(uint newest, int line = __builtin_LINE()) const {
    if (changed("wait_products", line, "left out")) return;
    if (changed("wait_products", line, "left out by a lane") && threadIdx.x == 37) return;
    if (changed("wait_products", line, "for one group less")) ++newest;
    HopperThread::wait_products(newest, line);
  }
  void __syncthreads(int line = __builtin_LINE()) {
    if (!changed("__syncthreads", line, "left out")) HopperThread::__syncthreads(line);
  }
  bool hasK(uint k, int line = __builtin_LINE()) const {
    if (changed("HAS_K", line, "always")) return true;
    if (changed("HAS_K", line, "never")) return false;
    if (changed("HAS_K", line, "a K tile earlier")) return HopperThread::hasK(k + BK);
    return HopperThread::hasK(k);
  }
  bool mmaStep(uint k, uint count, int line = __builtin_LINE()) {
    return HopperThread::mmaStep(k,
                                 changed("MMA_STEPS", line, "one step fewer") ? count - 16 : count);
  }

  // T4 multiplies and stores C like the earlier rungs.
  void load_matrices(const emulator::Fragments& r, const Halves& p,
                     int line = __builtin_LINE()) const {
    if (changed("load_matrices", line, "left out")) return;
    HopperThread::load_matrices(r, changed("load_matrices", line, "8 elements beside") ? p + 8 : p,
                                line);
  }
  void load_matrices_turned(const emulator::Fragments& r, const Halves& p,
                            int line = __builtin_LINE()) const {
    if (changed("load_matrices_turned", line, "left out")) return;
    if (changed("load_matrices_turned", line, "not turned"))
      return HopperThread::load_matrices(r, p, line);
    HopperThread::load_matrices_turned(r, p, line);
  }
  void multiply_add(const emulator::Registers& acc, const emulator::Fragments& a,
                    const emulator::Fragments& b, int line = __builtin_LINE()) const {
    if (changed("multiply_add", line, "left out")) return;
    if (changed("multiply_add", line, "twice")) HopperThread::multiply_add(acc, a, b, line);
    HopperThread::multiply_add(acc, a, b, line);
  }
  void store2(const Halves& p, const emulator::ElementPack& pair,
              int line = __builtin_LINE()) const {
    if (changed("store2", line, "left out")) return;
    HopperThread::store2(changed("store2", line, "beside") ? p + 2 : p, pair, line);
  }
  emulator::ElementChunk load8(const Halves& p, int line = __builtin_LINE()) const {
    return HopperThread::load8(changed("load8", line, "beside") ? p + 8 : p, line);
  }
  void store8(const Halves& p, const emulator::ElementChunk& chunk,
              int line = __builtin_LINE()) const {
    if (changed("store8", line, "left out")) return;
    HopperThread::store8(changed("store8", line, "beside") ? p + 8 : p, chunk, line);
  }
};

}  // namespace tileloom::test

// A stage's entry, with a thread of this namespace.
#define TILELOOM_MUTANT(kernel_name, Mutant, ...)                \
  struct kernel_name final : ::tileloom::test::Mutant {          \
    kernel_name(::tileloom::emulator::Block& block, uint thread) \
        : ::tileloom::test::Mutant(block, thread) {}             \
    void operator()(__VA_ARGS__);                                \
  };                                                             \
  inline void kernel_name::operator()
