// SPDX-License-Identifier: GPL-3.0-or-later
// One emulated thread block: its shared memory, its fibers, and every access that its threads make.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/fault.h"
#include "kernels/emulator/fiber.h"
#include "kernels/emulator/judges/judges.h"
#include "kernels/emulator/memory.h"
#include "kernels/emulator/recorder.h"
#include "kernels/emulator/register_slot.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/stage.h"

namespace tileloom::emulator {

// Buffers that are kept from one trace to the next, so that the next trace need not allocate them
// again. Used by one thread at a time.
class Workspace {
 public:
  StackPool stacks;
  Recorder recorder;
  std::shared_ptr<WordPool> words = std::make_shared<WordPool>();
  // For the other blocks of a cluster, created on first use: `number` counts from 0.
  Workspace& other(std::size_t number) {
    while (others_.size() <= number) others_.push_back(std::make_unique<Workspace>());
    return *others_[number];
  }

 private:
  friend class Block;
  friend class Agents;
  std::vector<judges::ShadowWord> shared_;  // by word
  // The further elements of each word of an array of small elements, word by word; empty before the
  // block's first such array.
  std::vector<RegisterSlot> upper_;
  std::vector<RegisterSlot> registers_;
  std::vector<std::unique_ptr<Workspace>> others_;
};

// The sums that blocks leave in global memory for other blocks.
struct LeftSums {
  LastWave wave;              // of a stage with SplitK::Parts: which block computes what
  std::vector<float> values;  // by the index that a kernel gives them; grows as it is written
  // The flags that are set, each with the fault to report if no block clears it.
  std::map<std::int64_t, Fault> told;
  // For a stage with SplitK::Parts: how many parts of a tile have left their sums, by its flag.
  std::map<std::int64_t, std::uint32_t> counts;
};

// On a padded problem.
struct BlockSetup : Launched {
  Extent block{0, 0};
  float alpha = 1;
  float beta = 0;
  std::array<Matrix, 3> matrices;  // A, B, C
  std::uint32_t kLimit = 0;        // execute only this number of elements of K; 0: all
  bool kEndsThere = false;         // and load no elements beyond them
  bool operands = true;            // record the factors of each multiply-add
  std::uint32_t walks = 1;         // block tiles of a persistent block, from `block` on
  int sms = kUsualSms;             // of the GPU: the number of persistent blocks
  // For a stage that splits tiles along K (see SplitK). nullptr: each tile is computed
  // as a whole.
  LeftSums* left = nullptr;
};

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

  const FaultLog& faults() const { return judges_.faults(); }
  // Its TMA boxes, mbarriers and wgmma, as its agents have reported them.
  const judges::Requests& requests() const { return judges_.requests(); }
  const std::vector<Array>& arrays() const { return arrays_; }
  std::uint32_t threads() const { return threads_; }
  std::uint32_t warps() const { return (threads_ + kWarpSize - 1) / kWarpSize; }
  std::uint32_t sharedBytes() const {
    return static_cast<std::uint32_t>(4 * sharedWords_) +
           (agents_ != nullptr ? agents_->barrierBytes() : 0);
  }

  // ---- for the host side of the portability header ----
  const BlockSetup& setup() const { return setup_; }
  const FormatRow& format() const { return *format_; }
  // gridDim and blockIdx of the kernel: the blocks that really start, and which of them this one
  // is.
  const Launch& launch() const { return launch_; }
  const Resident& resident() const { return resident_; }
  std::uint32_t stepK() const { return stepK_; }
  std::uint32_t kLimit() const { return kLimit_; }
  std::uint32_t kEnd() const { return kEnd_; }
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
      loadShared<Width>(array, index, line, out);
    } else {
      loadGlobal<Width>(array, index, line, out);
    }
  }
  template <std::uint32_t Width>
  void store(std::uint32_t array, std::int64_t index, int line, const RegisterSlot* values) {
    if (array >= kFirstShared) {
      storeShared<Width>(array, index, line, values);
    } else {
      storeGlobal<Width>(array, index, line, values);
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
    recorder_.fma(line, a, b, sum);  // as report(), without an event in the hottest loop
    if constexpr (judges::Judges::usesEvent<event::Fma>)
      judges_.see(event::Fma{here(line), a, b, sum});
  }
  void position(std::uint32_t kTile, std::uint16_t dot, bool fence) {
    recorder_.position(kTile, dot, fence);
  }
  void barrier(int line) {
    report(event::BlockBarrier{here(line)});
    if (agents_ != nullptr) return agents_->sleepAtBlockBarrier(line);
    fibers_.pause();
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
  friend class Agents;
  struct SharedArray {
    std::uint32_t base = 0;  // in words
    std::uint32_t elements = 0;
  };

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

  // The running thread at this line.
  Origin here(int line) const { return {thread_, {line}}; }
  // Reports to the recorder and to the judges, if they use the event.
  template <class Event>
  [[gnu::always_inline]] void report(const Event& e) {
    if constexpr (requires(Recorder & recorder) { recorder.see(e); }) recorder_.see(e);
    if constexpr (judges::Judges::usesEvent<Event>) judges_.see(e);
  }
  event::Attempt attempt(std::uint32_t array, std::int64_t index, std::uint32_t count,
                         std::uint32_t size, int line, bool store) const {
    return {here(line), array, index, count, size, arrays_[array].parts, store};
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
    return judges_.allows(attempt(array, index, count, arrays_[array].elements, line, store));
  }
  // An access to `words` words of a shared array of the format's elements.
  event::Access sharedAccess(std::uint32_t array, std::int64_t index, std::uint32_t words,
                             int line) const {
    const auto first = static_cast<std::uint32_t>(index);
    return {here(line), array,  index,
            words,      parts_, shared_[array - kFirstShared].base + first / parts_};
  }
  // The elements of a word of shared memory.
  void readWord(std::uint32_t word, RegisterSlot* out) const;
  void writeWord(std::uint32_t word, const RegisterSlot* elements);
  // A sum that leaves the running thread keeps its name.
  Provenance named(Provenance p) const;
  RegisterSlot elementOf(std::uint32_t array, std::uint32_t index) const;

  template <std::uint32_t Width>
  void loadShared(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out);
  template <std::uint32_t Width>
  void loadGlobal(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out);
  template <std::uint32_t Width>
  void storeShared(std::uint32_t array, std::int64_t index, int line, const RegisterSlot* values);
  template <std::uint32_t Width>
  void storeGlobal(std::uint32_t array, std::int64_t index, int line, const RegisterSlot* values);

  Workspace& workspace_;
  Recorder& recorder_;
  BlockSetup setup_;
  Launch launch_;
  Resident resident_;
  const FormatRow* format_;
  std::uint32_t parts_ = 1;  // elements in a word of an array of the format's elements
  std::uint32_t stepK_ = 1;
  std::uint32_t kLimit_ = 0;  // elements of K that are executed
  std::uint32_t kEnd_ = 0;    // K as the kernel gets it
  std::uint32_t threads_ = 0;
  bool ended_ = false;        // for lack of memory
  std::uint32_t thread_ = 0;  // the running thread
  std::vector<Array> arrays_;
  judges::Judges judges_;
  std::vector<SharedArray> shared_;
  std::size_t sharedWords_ = 0;
  std::size_t registersUsed_ = 0;
  std::vector<Copies> copies_;  // by thread; empty before the first copy
  Meeting meeting_;
  FiberGroup fibers_;
  std::unique_ptr<Agents> agents_;  // nullptr: the stage has none
};

}  // namespace tileloom::emulator

#include "kernels/emulator/block_access.h"
#include "kernels/tile/subject.h"
