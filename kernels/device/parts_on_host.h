// SPDX-License-Identifier: GPL-3.0-or-later
// parts.cuh on the host. When all blocks are run, they compute the same parts as on the GPU; a
// recorded block computes a whole tile, like nearly all tiles of a large problem.
#pragma once

#include <limits>

#include "kernels/device/on_host.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/placement.h"

namespace tileloom::emulator {

class PartThread : public Thread {
 public:
  using Thread::Thread;

 protected:
  struct part {
    uint tile = 0;
    uint from = 0, depth = 0;
  };
  struct part_sums {
    uint flag = 0, sums = 0;
    uint which = 0, count = 1;
  };

  part part_of(const Pointer& /*left*/, uint number, uint k) const {
    const TilePart* const its = lookedUp(number);
    return its == nullptr ? part{number, 0, k} : part{its->tile, its->from, its->depth};
  }
  part_sums sums_of(const Pointer& /*left*/, uint number) const {
    const TilePart* const its = lookedUp(number);
    if (its == nullptr) return {};
    const uint size = static_cast<uint>(block_->setup().tile[Parameter::BM]) *
                      static_cast<uint>(block_->setup().tile[Parameter::BN]);
    return {its->flag, its->place * size, its->which, its->count};
  }
  bool partTile(uint k0, const part& its, uint step) {
    const bool more = k0 < its.depth && k0 < block_->kLimit();
    // As at the end of a loop over all of K.
    if (!more && k0 < its.depth) block_->settleCopies();
    setKTile(more ? (its.from + k0) / step : kNoTile);
    return more;
  }
  bool hasPart(uint k0, const part& its) const { return k0 < its.depth && hasK(k0); }

  // On the host, flags and sums have separate numbers.
  void leave_sums(const Pointer& p, const Registers& acc, uint count, uint by,
                  int line = __builtin_LINE()) const {
    std::vector<float>& values = block_->setup().left->values;
    const RegisterSlot* const sums = acc.firstOf(count, line);
    for (uint i = 0; i < count; ++i) {
      const std::size_t at = placeOf(p, i, by);
      // A block that adds sums that no block has left gets NaN.
      if (values.size() <= at) values.resize(at + 1, std::numeric_limits<float>::quiet_NaN());
      values[at] = sums[i].value;
    }
  }
  bool last_to_leave(const Pointer& flag, uint parts, const Pointer& word,
                     int line = __builtin_LINE()) {
    __syncthreads(line);
    if (threadIdx.x == 0) {
      RegisterSlot before;
      before.value = static_cast<float>(block_->countLeft(flag.index(), parts, line));
      word.store<1>(&before, line);
    }
    __syncthreads(line);
    RegisterSlot before;
    word.load<1>(&before, line);
    return before.value + 1 == static_cast<float>(parts);
  }
  void add_sums(const Registers& acc, const Pointer& p, uint count, uint by, uint parts, uint size,
                int line = __builtin_LINE()) const {
    const std::vector<float>& values = block_->setup().left->values;
    RegisterSlot* const sums = acc.firstOf(count, line);
    for (uint i = 0; i < count; ++i) {
      sums[i].value = 0;
      for (uint which = 0; which < parts; ++which) {
        const std::size_t at = placeOf(p + which * size, i, by);
        sums[i].value += at < values.size() ? values[at] : std::numeric_limits<float>::quiet_NaN();
      }
    }
  }

 private:
  // nullptr: tiles are computed as a whole.
  const TilePart* lookedUp(uint number) const {
    const LeftSums* const left = block_->setup().left;
    return left == nullptr || SPLIT < 2 ? nullptr : &left->wave.blocks[number];
  }
  static std::size_t placeOf(const Pointer& p, uint i, uint by) {
    return static_cast<std::size_t>(p.index()) + i / 4 * by + i % 4;
  }
};

// The body of Stage::enter for such a kernel. The memory for partial sums is not a matrix: it has
// no array.
template <class Kernel>
void enterPartKernel(Block& block, unsigned thread) {
  Kernel kernel(block, thread);
  const BlockSetup& s = block.setup();
  kernel(static_cast<uint>(s.problem.m), static_cast<uint>(s.problem.n),
         static_cast<uint>(s.problem.k), s.alpha, Pointer(&block, kArrayA),
         Pointer(&block, kArrayB), s.beta, Pointer(&block, kArrayC), Pointer(&block, kArrayC));
}

}  // namespace tileloom::emulator

#define PART_KERNEL(kernel_name, threads)                                                          \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final                \
      : ::tileloom::emulator::PartThread {                                                         \
    using PartThread::PartThread;                                                                  \
    void operator()(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, \
                    float beta, gmem<float> C, gmem<float> left);                                  \
  };                                                                                               \
  inline void kernel_name::operator()

#define PART_TILES(k0, step, part) for (uint k0 = 0; partTile(k0, (part), (step)); k0 += (step))
#define HAS_PART(k, part) hasPart((k), (part))
