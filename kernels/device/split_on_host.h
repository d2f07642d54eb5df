// SPDX-License-Identifier: GPL-3.0-or-later
// split.cuh on the host. When other blocks are run, too, pieces of tiles are the same as on the
// GPU; a recorded block computes whole tiles, like nearly all tiles of a large problem.
#pragma once

#include <algorithm>

#include "kernels/device/pieces.cuh"
#include "kernels/device/stored_on_host.h"
#include "kernels/tile/placement.h"

namespace tileloom::emulator {

class SplitThread : public StoredThread {
 public:
  using StoredThread::StoredThread;

 protected:
  piece first_piece(const pieces& all) const { return pieceFrom(all, 0); }
  piece next_piece(const pieces& all, const piece& at) const {
    return pieceFrom(all, at.number + 1);
  }
  bool backwards(const piece& at) const {
    return block_->setup().left != nullptr && at.number % 2 != 0;
  }
  bool hasRound(uint round, const piece& at, uint elements) {
    if (block_->setup().left == nullptr) setWalk(at.number - walkStart());
    const bool more = round < at.end && round * elements < block_->kLimit();
    if (!more) setKTile(kNoTile);
    return more;
  }
  bool roundTile(uint slot, uint round, uint stages, uint step) {
    if (slot >= stages) return false;
    const uint rounds = (block_->kLimit() + stages * step - 1) / (stages * step);
    setKTile((walk() * rounds + round) * stages + slot);
    return true;
  }

  static std::uint64_t further(std::uint64_t operand, uint elements) {
    return (operand & 0xFFFFFFFF00000000u) | (static_cast<uint>(operand) + elements / 8);
  }
  static uint uniform(uint x) { return x; }
  void multiply_group(const Registers& acc, uint columns, std::uint64_t a, std::uint64_t b,
                      bool keep, int line = __builtin_LINE()) const {
    agents().multiply({acc.firstOf(columns / 2, line), acc.number(), columns, a, b, keep}, line);
  }
  // In the same places as on the GPU: four adjacent sums of each of 128 threads.
  void leave_sums(const Pointer& p, const Registers& acc, uint count,
                  int line = __builtin_LINE()) const {
    agents().leaveSums(line);
    LeftSums* const left = block_->setup().left;
    const RegisterSlot* const sums = acc.firstOf(count, line);
    for (uint i = 0; left != nullptr && i < count; ++i) {
      agents().useSum(sums[i], acc.number() + i, line);
      const std::size_t at = placeOf(p, i);
      if (left->values.size() <= at) left->values.resize(at + 1);
      left->values[at] = sums[i].value;
    }
  }
  void add_sums(const Registers& acc, const Pointer& p, uint count,
                int line = __builtin_LINE()) const {
    agents().checkAwaited(line);
    const LeftSums* const left = block_->setup().left;
    RegisterSlot* const sums = acc.firstOf(count, line);
    for (uint i = 0; left != nullptr && i < count; ++i) {
      agents().useSum(sums[i], acc.number() + i, line);
      const std::size_t at = placeOf(p, i);
      if (at < left->values.size()) sums[i].value += left->values[at];
    }
  }
  void tell(const Pointer& flag, int line = __builtin_LINE()) const {
    agents().tell(flag.index(), line);
  }
  void await(const Pointer& flag, int line = __builtin_LINE()) const {
    agents().await(flag.index(), line);
  }

 private:
  uint walkStart() const { return static_cast<uint>(block_->resident().walk); }
  // For a traced block, `number` counts from the requested tile.
  piece pieceFrom(const pieces& all, uint number) const {
    const BlockSetup& setup = block_->setup();
    if (setup.left != nullptr) return all.at(number);
    number = std::max(number, walkStart());
    if (number - walkStart() >= setup.walks) return {};
    return pieces(all.tiles, all.rounds, all.cluster, all.clusters, 1).at(number);
  }
  static std::size_t placeOf(const Pointer& p, uint i) {
    return static_cast<std::size_t>(p.index()) + i / 4 * 512 + i % 4;
  }
};

// The body of Stage::enter for such a kernel. The memory for partial sums is not a matrix: it has
// no array.
template <class Kernel>
void enterSplitKernel(Block& block, unsigned thread) {
  Kernel kernel(block, thread);
  const BlockSetup& s = block.setup();
  kernel(static_cast<uint>(s.problem.m), static_cast<uint>(s.problem.n),
         static_cast<uint>(s.problem.k), TensorMap{kArrayA}, TensorMap{kArrayB}, TensorMap{kArrayC},
         Pointer(&block, kArrayC));
}

}  // namespace tileloom::emulator

#define SPLIT_KERNEL(kernel_name, threads)                                                   \
  _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") struct kernel_name final          \
      : ::tileloom::emulator::SplitThread {                                                  \
    using SplitThread::SplitThread;                                                          \
    void operator()(uint M, uint N, uint K, TENSOR A, TENSOR B, TENSOR C, gmem<float> left); \
  };                                                                                         \
  inline void kernel_name::operator()

#define ROUNDS(round, at) for (uint round = (at).first; hasRound(round, (at), STAGES * BK); ++round)
#define ROUND_TILES(slot, k0, round)                                                      \
  for (uint slot = 0, k0 = (round) * (STAGES * BK); roundTile(slot, (round), STAGES, BK); \
       ++slot, k0 += BK)
#define ROLLED_ROUND_TILES(slot, k0, round) ROUND_TILES(slot, k0, round)
