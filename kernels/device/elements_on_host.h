// SPDX-License-Identifier: GPL-3.0-or-later
// elements.cuh on the host. Pointers, fragments and warp-wide instructions are those of
// tensor_on_host.h, whose element width is a property of the run.
#pragma once

#include "kernels/device/tensor_on_host.h"

namespace tileloom::emulator {

class ElementThread : public TensorThread {
 public:
  using TensorThread::TensorThread;

 protected:
  template <class T>
  using emem = gmem<T>;

  uint parts() const { return block_->format().elementsPerWord(); }
  uint joined() const { return parts() > 4 ? parts() / 2 : 2; }

  ElementChunk load_chunk(const ElementPointer& p, int line = __builtin_LINE()) const {
    ElementChunk chunk;
    block_->loadElements(4, p.array(), p.index(), line, chunk.parts.data());
    return chunk;
  }
  void store_chunk(const ElementPointer& p, const ElementChunk& chunk,
                   int line = __builtin_LINE()) const {
    block_->storeElements(4, p.array(), p.index(), line, chunk.parts.data());
  }
  void load_parts(const Fragments& r, const ElementPointer& p, int line = __builtin_LINE()) const {
    block_->loadElements(1, p.array(), p.index(), line, r.firstOf(1, line));
  }
  void gather(const Fragments& r, const Fragments& rows, uint part,
              int line = __builtin_LINE()) const {
    RegisterSlot* const to = r.firstOf(1, line);
    const RegisterSlot* const from = rows.firstOf(parts(), line);
    for (uint i = 0; i < parts(); ++i) to[i] = from[i * parts() + part];
  }
  void store_sums(const ElementPointer& p, const Registers& acc,
                  int line = __builtin_LINE()) const {
    const uint products = joined();
    const RegisterSlot* const sums = acc.firstOf(4 * products - 2, line);
    Room<RegisterSlot, kMostRowElements> stored;
    for (uint i = 0; i < 2 * products; ++i) stored[i] = rounded(sums[i / 2 * 4 + i % 2]);
    block_->storeElements(2 * products / parts(), p.array(), p.index(), line, stored.data());
  }
};

}  // namespace tileloom::emulator

#define PARTS parts()
#define CHUNK (4 * parts())
#define DEPTH (8 * parts())
#define JOINED joined()

#define ELEMENT_KERNEL(kernel_name, threads)                                              \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final       \
      : ::tileloom::emulator::ElementThread {                                             \
    using ElementThread::ElementThread;                                                   \
    void operator()(uint M, uint N, uint K, emem<const element> A, emem<const element> B, \
                    emem<element> C);                                                     \
  };                                                                                      \
  inline void kernel_name::operator()

#define ELEMENT_TILES(first, first_count, second, second_count)      \
  const smem<element> first = sharedElements(#first, (first_count)); \
  const smem<element> second = sharedElements(#second, (second_count))
#define DEPTH_STEPS(k, count) for (uint k = 0; mmaStep(k, (count)); k += DEPTH)
