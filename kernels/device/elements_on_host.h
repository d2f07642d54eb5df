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
  uint parts() const { return block_->format().elementsPerWord(); }

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
  template <Readable W, Readable X, Readable Y, Readable Z>
  void store_four(const ElementPointer& p, const W& w, const X& x, const Y& y, const Z& z,
                  int line = __builtin_LINE()) const {
    const RegisterSlot four[] = {rounded(w.get().slot), rounded(x.get().slot),
                                 rounded(y.get().slot), rounded(z.get().slot)};
    block_->storeElements(4 / parts(), p.array(), p.index(), line, four);
  }
};

}  // namespace tileloom::emulator

#define PARTS parts()
#define CHUNK (4 * parts())
#define DEPTH (8 * parts())

#define ELEMENT_KERNEL(kernel_name, threads)                                              \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final       \
      : ::tileloom::emulator::ElementThread {                                             \
    using ElementThread::ElementThread;                                                   \
    void operator()(uint M, uint N, uint K, gmem<const element> A, gmem<const element> B, \
                    gmem<element> C);                                                     \
  };                                                                                      \
  inline void kernel_name::operator()

#define ELEMENT_TILES(first, first_count, second, second_count)      \
  const smem<element> first = sharedElements(#first, (first_count)); \
  const smem<element> second = sharedElements(#second, (second_count))
#define DEPTH_STEPS(k, count) for (uint k = 0; mmaStep(k, (count)); k += DEPTH)
