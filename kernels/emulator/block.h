// SPDX-License-Identifier: GPL-3.0-or-later
// One emulated thread block: its shared memory, its fibers, and every access that its threads make.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/fault.h"
#include "kernels/emulator/fiber.h"
#include "kernels/emulator/memory.h"
#include "kernels/emulator/recorder.h"
#include "kernels/tile/stage.h"

namespace tileloom::emulator {

inline constexpr std::uint32_t kThreadBits = 11;
inline constexpr std::uint32_t kManyThreads = (1u << kThreadBits) - 1;
inline constexpr std::uint32_t kArrayA = 0, kArrayB = 1, kArrayC = 2, kFirstShared = 3;

// What a register holds.
struct RegisterSlot {
  float value = 0;
  Provenance provenance;
};

// Buffers that outlive a trace, so that the next one starts warm. Used by one thread at a time.
class Workspace {
 public:
  StackPool stacks;
  Recorder recorder;
  std::shared_ptr<WordPool> words = std::make_shared<WordPool>();

 private:
  friend class Block;
  // Who touched the word last is a stamp: barrier interval and thread in one number.
  struct SharedWord {
    float value;
    Provenance provenance;
    std::uint32_t written;  // 0: never
    std::uint32_t read;     // by several threads of one interval: thread kManyThreads
  };
  std::vector<SharedWord> shared_;
  std::vector<RegisterSlot> registers_;
};

struct BlockSetup {
  const Stage* stage = nullptr;
  TileShape tile;
  Problem problem;  // padded
  Extent block{0, 0};
  float alpha = 1;
  float beta = 0;
  std::array<Matrix, 3> matrices;  // A, B, C
  std::uint32_t kLimit = 0;        // walk only so many elements of K; 0: all
  bool kEndsThere = false;         // and fetch nothing that lies beyond
  bool operands = true;            // record the factors of multiply-adds
};

class Block {
 public:
  Block(Workspace& workspace, const BlockSetup& setup);

  // Runs all threads to their end, handing each warp interval to `sink` in the order
  // interval by interval, warp by warp.
  void run(const IntervalSink& sink);

  const FaultLog& faults() const { return faults_; }
  const std::vector<Array>& arrays() const { return arrays_; }
  std::uint32_t threads() const { return threads_; }
  std::uint32_t warps() const { return (threads_ + kWarpSize - 1) / kWarpSize; }
  std::uint32_t sharedBytes() const { return static_cast<std::uint32_t>(4 * sharedWords_); }

  // ---- for the host side of the portability header ----
  const BlockSetup& setup() const { return setup_; }
  const Launch& launch() const { return launch_; }
  std::uint32_t stepK() const { return stepK_; }
  std::uint32_t kLimit() const { return kLimit_; }
  std::uint32_t kEnd() const { return kEnd_; }

  // The id of shared array number `ordinal` (in declaration order), made by the first thread to
  // come.
  std::uint32_t sharedArray(std::uint32_t ordinal, const char* name, std::uint32_t rows,
                            std::uint32_t elements);
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
  void fma(int line, Provenance a, Provenance b, Provenance sum) { recorder_.fma(line, a, b, sum); }
  void position(std::uint32_t kTile, std::uint16_t dot, bool fence) {
    recorder_.position(kTile, dot, fence);
  }
  void barrier(int line) {
    recorder_.event(Kind::Barrier, line);
    fibers_.pause();
  }
  // Asynchronous copies of the running thread: begun, closed into a group, and waited for until no
  // more than the `newest` groups are under way. Data arrive when they are waited for, no sooner.
  template <std::uint32_t Width>
  void copy(std::uint32_t to, std::int64_t toIndex, std::uint32_t from, std::int64_t fromIndex,
            int line);
  void commitCopies(int line);
  void waitForCopies(std::uint32_t newest, int line);
  void registerFault(const char* name, std::uint32_t index, std::uint32_t size, int line);

 private:
  struct SharedArray {
    std::uint32_t base = 0;  // in words
    std::uint32_t elements = 0;
  };

  struct Copy {              // one word under way
    std::uint32_t word = 0;  // in shared memory
    RegisterSlot content;
  };
  struct Copies {
    std::vector<Copy> words;             // oldest first
    std::vector<std::size_t> committed;  // ends of the groups, counted in words
  };

  template <std::uint32_t Width>
  bool valid(std::uint32_t array, std::int64_t index, std::uint32_t elements, int line, bool store);
  template <std::uint32_t Width>
  void loadShared(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out);
  template <std::uint32_t Width>
  void loadGlobal(std::uint32_t array, std::int64_t index, int line, RegisterSlot* out);
  template <std::uint32_t Width>
  void storeShared(std::uint32_t array, std::int64_t index, int line, const RegisterSlot* values);
  template <std::uint32_t Width>
  void storeGlobal(std::uint32_t array, std::int64_t index, int line, const RegisterSlot* values);
  void checkOverwrite(const Workspace::SharedWord& word, std::uint32_t array, std::int64_t index,
                      int line);
  void fault(FaultKind kind, std::uint32_t array, std::int64_t index, int line, bool store,
             int other = -1);

  Workspace& workspace_;
  Recorder& recorder_;
  BlockSetup setup_;
  Launch launch_;
  std::uint32_t stepK_ = 1;
  std::uint32_t kLimit_ = 0;  // elements of K that are walked
  std::uint32_t kEnd_ = 0;    // elements of K that there seem to be
  std::uint32_t threads_ = 0;
  std::uint32_t thread_ = 0;  // the running one
  std::uint32_t stamp_ = 0;   // barrier interval, from 1, above the running thread's number
  std::vector<Array> arrays_;
  std::vector<SharedArray> shared_;
  std::size_t sharedWords_ = 0;
  std::size_t registersUsed_ = 0;
  std::vector<Copies> copies_;  // by thread, once there is one
  FiberGroup fibers_;
  FaultLog faults_;
};

}  // namespace tileloom::emulator

#include "kernels/emulator/block_access.h"
