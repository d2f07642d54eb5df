// SPDX-License-Identifier: GPL-3.0-or-later
// One emulated thread block: its shared memory, its fibers, and every access that its threads make.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block_access.h"
#include "kernels/emulator/block_setup.h"
#include "kernels/emulator/block_state.h"
#include "kernels/emulator/register_slot.h"
#include "kernels/emulator/workspace.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/stage.h"

namespace tileloom::emulator {

// One lane's operands of an instruction that its warp executes as a whole. A register has a slot
// for each of its elements, the lowest bits first.
struct WarpRequest {
  Kind kind = Kind::MatrixLoad;  // or MatrixStore or Mma
  bool turned = false;           // MatrixLoad: each matrix is transposed
  int line = 0;
  std::uint32_t array = 0;          // of matrices: where the lane's row is
  std::int64_t index = 0;           // and its first element
  const MmaRow* mma = nullptr;      // of a Mma
  RegisterSlot* result = nullptr;   // MatrixLoad: 4 registers that are filled; Mma: the sums
  std::uint32_t number = 0;         // Mma: of the first sum, within the thread
  const RegisterSlot* a = nullptr;  // Mma: registers of A and of B; MatrixStore: 4 registers
  const RegisterSlot* b = nullptr;
};

class Block {
 public:
  Block(Workspace& workspace, const BlockSetup& setup);

  // Runs all threads to their end. `sink` gets every warp interval, in the order of the barrier
  // intervals and within one in the order of the warps. If there is not enough memory for a thread,
  // the run ends after that interval, with a fault.
  void run(const IntervalSink& sink);
  // The same for the blocks of a cluster, by rank, concurrently; each has a workspace of its own.
  static void runTogether(std::span<Block* const> blocks, std::span<const IntervalSink> sinks);

  const FaultLog& faults() const { return state_.judges.faults(); }
  // Those that have judged it, for what they have counted: docs/adding/judge.md.
  const judges::Judges& judges() const { return state_.judges; }
  // Its TMA boxes, mbarriers and wgmma, as its agents have reported them.
  const judges::Requests& requests() const { return state_.judges.requests(); }
  const std::vector<Array>& arrays() const { return state_.arrays; }
  std::uint32_t threads() const { return state_.threads; }
  std::uint32_t warps() const { return state_.warps(); }
  std::uint32_t sharedBytes() const {
    return static_cast<std::uint32_t>(4 * sharedWords_) +
           (agents_ != nullptr ? agents_->barrierBytes() : 0);
  }

  // ---- for the host side of the portability header ----
  const BlockSetup& setup() const { return state_.setup; }
  const FormatRow& format() const { return *state_.format; }
  // The instruction of multiply_add.
  const MmaRow& multiplyAddRow() const {
    if (state_.mma == nullptr)
      throw std::logic_error("multiply_add is not the instruction that the rung's kind names");
    return *state_.mma;
  }
  // gridDim and blockIdx of the kernel: the blocks that really start, and which of them this one
  // is.
  const Launch& launch() const { return state_.launch; }
  const Resident& resident() const { return resident_; }
  std::uint32_t stepK() const { return stepK_; }
  std::uint32_t kLimit() const { return state_.kLimit; }
  std::uint32_t kEnd() const { return state_.kEnd; }
  // Only for a stage with TMA loads.
  Agents& agents() { return *agents_; }

  // The id of shared array number `ordinal` (in declaration order). The first call creates the
  // array. `parts` as in Array.
  std::uint32_t sharedArray(std::uint32_t ordinal, const char* name, std::uint32_t rows,
                            std::uint32_t elements, std::uint32_t parts = 1);
  RegisterSlot* registers(std::uint32_t count);

  template <std::uint32_t Width>
  void load(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out) {
    if (array >= kFirstShared) {
      loadShared<Width>(state_, array, index, line, out);
    } else {
      loadGlobal<Width>(state_, array, index, line, out);
    }
  }
  template <std::uint32_t Width>
  void store(std::uint32_t array, std::int64_t index, int line, const RegisterSlot* values) {
    if (array >= kFirstShared) {
      storeShared<Width>(state_, array, index, line, values);
    } else {
      storeGlobal<Width>(state_, array, index, line, values);
    }
  }
  // The same in an array of the format's elements: all that are in `words` words, from the first
  // one of a word on.
  void loadElements(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                    RegisterSlot* out);
  void storeElements(std::uint32_t words, std::uint32_t array, std::int64_t index, int line,
                     const RegisterSlot* values);
  // As copy(), of the elements of `words` words.
  void copyElements(std::uint32_t words, std::uint32_t to, std::int64_t toIndex, std::uint32_t from,
                    std::int64_t fromIndex, int line);
  // Pauses the running thread until all lanes of its warp have arrived and the instruction is
  // executed.
  void executeTogether(const WarpRequest& request);
  void fma(int line, Provenance a, Provenance b, Provenance sum) {
    state_.recorder.fma(line, a, b, sum);  // as report(), without an event in the hottest loop
    if constexpr (judges::Judges::usesEvent<event::Fma>)
      state_.judges.see(event::Fma{here(line), a, b, sum});
  }
  void position(std::uint32_t kTile, std::uint16_t dot, bool fence) {
    state_.recorder.position(kTile, dot, fence);
  }
  void barrier(int line) {
    report(event::BlockBarrier{here(line)});
    if (agents_ != nullptr) return agents_->sleepAtBlockBarrier(line);
    state_.fibers.pause();
  }
  // Asynchronous copies of the running thread: copy() issues one, commitCopies() closes a group,
  // and waitForCopies() waits until at most the `newest` groups are still in flight. The data
  // arrive at that wait and never earlier, so that a read that is too early is found.
  template <std::uint32_t Width>
  void copy(std::uint32_t to, std::int64_t toIndex, std::uint32_t from, std::int64_t fromIndex,
            int line);
  void commitCopies(int line);
  void waitForCopies(std::uint32_t newest, int line);
  // One more of a tile's `parts` parts has left its sums: how many had before (left_sums.cpp). A
  // fault is recorded unless all of them do.
  std::uint32_t countLeft(std::int64_t flag, std::uint32_t parts, int line);
  // Completes all copies and boxes of the running thread without a record.
  void settleCopies();
  void registerFault(const char* name, std::uint32_t index, std::uint32_t size, int line);

 private:
  struct Copy {              // one word in flight
    std::uint32_t word = 0;  // in shared memory
    RegisterSlot content;
  };
  struct Copies {
    std::vector<Copy> words;             // oldest first
    std::vector<RegisterSlot> upper;     // further elements of each, where words hold several
    std::vector<std::size_t> committed;  // ends of the groups, counted in words
  };

  // The lanes of a warp that wait for the others, one bit each, and the request of each.
  struct Meeting {
    std::uint32_t lanes = 0;
    std::array<WarpRequest, kWarpSize> asked;
    // For a MatrixStore: the elements that go to the row that each lane names.
    std::array<std::array<Provenance, kMostRowElements>, kWarpSize> stored;
  };

  Origin here(int line) const { return state_.here(line); }
  template <class Event>
  [[gnu::always_inline]] void report(const Event& e) {
    state_.report(e);
  }
  event::Attempt attempt(std::uint32_t array, std::int64_t index, std::uint32_t count,
                         std::uint32_t size, int line, bool store) const {
    return {here(line), array, index, count, size, state_.arrays[array].parts, store};
  }

  void arrive(Copies& mine, std::size_t words);
  void begin();
  bool resume();  // the present thread, until it waits for others; false: it has ended
  bool runRound(std::uint32_t round, const IntervalSink& sink);  // rounds.cpp
  // warp_wide.cpp and elements.cpp.
  void hold(const Meeting& meeting, std::uint32_t warp);
  bool agree(const Meeting& meeting, std::uint32_t warp);
  bool allowsRow(const WarpRequest& asked);
  void loadMatrices(const Meeting& meeting, std::uint32_t warp);
  void storeMatrices(const Meeting& meeting, std::uint32_t warp);
  template <Mma Which>
  void multiplyAdd(const Meeting& meeting, std::uint32_t warp);
  // `count` elements at once, which must start at a multiple of their number.
  bool validElements(std::uint32_t array, std::int64_t index, std::uint32_t count, int line,
                     bool store) {
    return state_.judges.allows(
        attempt(array, index, count, state_.arrays[array].elements, line, store));
  }
  // An access to `words` words of a shared array of the format's elements.
  event::Access sharedAccess(std::uint32_t array, std::int64_t index, std::uint32_t words,
                             int line) const {
    const auto first = static_cast<std::uint32_t>(index);
    return {here(line),   array,
            index,        words,
            state_.parts, state_.sharedArrays[array - kFirstShared].base + first / state_.parts};
  }
  // The elements of a word of shared memory.
  void readWord(std::uint32_t word, RegisterSlot* out) const;
  void writeWord(std::uint32_t word, const RegisterSlot* elements);
  // A sum that leaves the running thread keeps its name.
  Provenance named(Provenance p) const;

  std::vector<RegisterSlot>& registers_;  // of the workspace
  Resident resident_;
  std::uint32_t stepK_ = 1;
  bool ended_ = false;  // for lack of memory
  std::size_t sharedWords_ = 0;
  std::size_t registersUsed_ = 0;
  std::vector<Copies> copies_;  // by thread; empty before the first copy
  Meeting meeting_;
  Factors factors_;                 // of the present mma
  BlockState state_;                // after what its fibers use
  std::unique_ptr<Agents> agents_;  // nullptr: the stage has none
};

template <std::uint32_t Width>
void Block::copy(std::uint32_t to, std::int64_t toIndex, std::uint32_t from, std::int64_t fromIndex,
                 int line) {
  const BlockState::SharedArray& info = state_.sharedArrays[to - kFirstShared];
  if (!state_.judges.allows(event::Attempt{here(line), from, fromIndex, Width,
                                           state_.arrays[from].elements, 1, false}) ||
      !state_.judges.allows(event::Attempt{here(line), to, toIndex, Width, info.elements, 1, true}))
      [[unlikely]] {
    return;
  }
  if (copies_.empty()) copies_.resize(state_.threads);
  const Matrix& matrix = state_.setup.matrices[from];
  const auto first = static_cast<std::uint32_t>(fromIndex);
  const std::uint32_t word = info.base + static_cast<std::uint32_t>(toIndex);
  const auto source = static_cast<Provenance::Source>(from + 1);
  RegisterSlot values[Width];
  for (std::uint32_t w = 0; w < Width; ++w) {
    const float value =
        matrix.read != nullptr ? matrix.read[first + w] : virtualValue(from, first + w);
    values[w] = {value, Provenance::element(source, first + w)};
    copies_[state_.thread].words.push_back({word + w, values[w]});
  }
  report(event::AsyncCopy{{here(line), to, toIndex, Width, 1, word}, values});
}

}  // namespace tileloom::emulator
