// SPDX-License-Identifier: GPL-3.0-or-later
// The trace of one block, which every view and every analysis reads. It is grouped by warp
// instruction; each instruction has an active mask and, per active lane, a payload of 32-bit words,
// which depends on its kind (kinds.h).
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "kernels/emulator/asynchronous.h"
#include "kernels/emulator/fault.h"
#include "kernels/emulator/kinds.h"
#include "kernels/emulator/origin.h"
#include "kernels/emulator/provenance.h"
#include "kernels/tile/mma.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom::emulator {

inline constexpr std::uint32_t kNoTile = 0xFFFFFFFF;
inline constexpr std::uint16_t kNoDot = 0xFFFF;

struct Instruction {
  std::uint32_t offset = 0;       // of its payload in a lane's words
  std::uint32_t mask = 0;         // active lanes
  std::uint32_t kTile = kNoTile;  // which step along K, kNoTile outside the loop
  std::uint32_t region = 0;  // counts up where the assembler cannot merge across (see merging.h)
  std::uint16_t line = 0;
  std::uint16_t dot = kNoDot;  // k within the K tile
  Kind kind = Kind::Barrier;
  std::uint8_t width = 0;       // 32-bit words per lane
  std::uint8_t array = 0;       // index into Trace::arrays, or the row of a tensor core instruction
  std::uint8_t parts : 4 = 1;   // elements in each word: 2 in an array of 16-bit elements
  std::uint8_t turned : 4 = 0;  // 1: a MatrixLoad that transposes each matrix
  // In machine code: bytes from the beginning of the kernel.
  std::uint32_t address = Site::kNoAddress;

  // Provenances in the payload of a memory access.
  std::uint32_t elements() const { return std::uint32_t{width} * parts; }
  // Of a Mma or a Product.
  const MmaRow& mma() const { return rowOf(static_cast<Mma>(array)); }
  // Multiply-adds of the warp; 0 of an instruction that multiplies nothing.
  std::uint32_t multiplyAdds() const {
    switch (kind) {
      case Kind::Fma:
        return static_cast<std::uint32_t>(std::popcount(mask));
      case Kind::Mma:
        return mma().products();
      case Kind::Product:
        return width * mma().products();
      default:
        return 0;
    }
  }
  bool operator==(const Instruction&) const = default;
};

// What one warp executes between two barriers.
struct WarpInterval {
  std::uint32_t warp = 0;
  std::uint32_t interval = 0;
  std::uint32_t stride = 0;  // words from one lane to the next
  std::uint32_t used = 0;    // words that the busiest lane has written
  std::span<const Instruction> instructions;
  const std::uint32_t* words = nullptr;        // lane-major
  const std::uint32_t* laneOffsets = nullptr;  // 32 per instruction if lanes diverged

  // The payload of an active lane.
  const std::uint32_t* payload(std::size_t instruction, std::uint32_t lane) const {
    const std::uint32_t offset = laneOffsets != nullptr
                                     ? laneOffsets[instruction * kWarpSize + lane]
                                     : instructions[instruction].offset;
    return words + std::size_t{lane} * stride + offset;
  }
};

// Receives each finished warp interval; the view is valid during the call only.
using IntervalSink = std::function<void(const WarpInterval&)>;

struct Array {
  std::string name;
  Space space = Space::Global;
  std::uint32_t rows = 0;  // 0: one-dimensional
  std::uint32_t columns = 0;
  std::uint32_t elements = 0;
  std::uint32_t base = 0;   // first word in the block's shared memory
  std::uint32_t parts = 1;  // elements in each 32-bit word: 1, 2, 4 or 8
};

// The place of an array in Trace::arrays.
inline constexpr std::uint32_t kArrayA = 0, kArrayB = 1, kArrayC = 2, kFirstShared = 3;

// The place of one of a warp's instructions: its barrier interval and its index within that.
struct Position {
  std::uint32_t interval = 0;
  std::uint32_t instruction = 0;
  bool operator==(const Position&) const = default;
};

// Memory for recordings. Dragging a slider makes a trace of several megabytes per frame, and fresh
// pages from the system would take as long as the tracing; so finished traces return their chunks.
class WordPool {
 public:
  struct Chunk {
    std::unique_ptr<std::uint32_t[]> words;
    std::size_t size = 0;
  };
  // The most words that are kept free: 32 MiB, several times what usual traces take.
  static constexpr std::size_t kKeptWords = std::size_t{1} << 23;

  Chunk take(std::size_t words);
  void give(Chunk chunk);
  std::size_t freeWords();
  void clear();  // frees what is free

 private:
  static constexpr std::size_t kChunkWords = std::size_t{1} << 19;
  std::mutex mutex_;  // a trace ends on the thread that releases it last
  std::vector<Chunk> free_;
  std::size_t kept_ = 0;
};

// The recording of one thread block. `problem` is as executed, that is padded.
class Trace : public Launched {
 public:
  explicit Trace(std::shared_ptr<WordPool> pool) : pool_(std::move(pool)) {}
  ~Trace();
  Trace(Trace&&) = default;
  Trace& operator=(Trace&&) = delete;

  Problem asked;  // as requested, not padded
  Extent block{0, 0};
  std::uint32_t threads = 0;
  std::uint32_t warps = 0;
  std::uint32_t kTiles = 0;        // of a whole run
  std::uint32_t kTilesTraced = 0;  // how many of them, from the first on
  std::uint32_t stepK = 1;         // elements of K per K tile
  std::uint32_t kEnd = 0;          // K as the kernel gets it
  // A, B, C, then the shared ones; of machine code then other buffers in global memory.
  std::vector<Array> arrays;
  std::uint32_t sharedBytes = 0;  // of all shared arrays together
  // The requests to the block's agents, in order; see asynchronous.h.
  std::vector<BarrierRecord> barriers;
  // Arrivals of other blocks of its cluster at this one's barriers, in order.
  std::vector<RemoteArrival> remoteArrivals;
  std::uint32_t cluster = 1, rank = 0;  // blocks, and which of them this one is
  std::uint32_t walked = 1;             // block tiles that were traced, one after the other
  bool persistent = false;              // by its launch
  // Its instructions are those of machine code: an assembler has merged what it merges.
  bool machineCode = false;
  std::vector<std::string> roles;  // by warp, as the kernel names them; empty without names
  std::vector<BoxRecord> boxes;
  std::vector<BoxStoreRecord> boxStores;
  std::vector<std::vector<ProductRecord>> products;  // by warp
  FaultLog faults;

  std::uint32_t intervals() const { return intervals_; }
  WarpInterval at(std::uint32_t warp, std::uint32_t interval) const;

  // Number of warp instructions of this warp in the whole trace.
  std::uint32_t length(std::uint32_t warp) const;
  Position position(std::uint32_t warp, std::uint32_t index) const;
  std::uint32_t indexOf(std::uint32_t warp, const Position& position) const;

  // The element of C that a thread's accumulator is stored to; kNoElement if it is never stored.
  std::uint32_t accumulatorElement(std::uint32_t thread, std::uint32_t slot) const;
  // The number of slots that may have an element: those from here on are never stored.
  std::uint32_t accumulators(std::uint32_t thread) const;
  static constexpr std::uint32_t kNoElement = 0xFFFFFFFF;

  // Bytes held by the recording.
  std::size_t memory() const;

  // In any order. An interval that is missing is one in which its warp executes nothing. The result
  // is where its words are: lane after lane, `used` of each. Without words the caller writes them.
  std::uint32_t* append(const WarpInterval& interval);
  void finish();  // resolves accumulators and features after the last interval

  const Features& features() const { return features_; }  // of a finished trace
  // The row of its tensor core instructions, of a finished trace; nullptr: it multiplies by FMA.
  const MmaRow* mma() const { return mma_; }

 private:
  struct Stored {
    std::uint32_t warp = 0;
    std::uint32_t interval = 0;
    std::uint32_t stride = 0;
    std::shared_ptr<const std::vector<Instruction>> instructions;
    const std::uint32_t* words = nullptr;
    std::vector<std::uint32_t> laneOffsets;
  };
  std::uint32_t* allocate(std::size_t words);
  void putInOrder();
  Features featuresNow() const;

  std::shared_ptr<WordPool> pool_;
  std::vector<WordPool::Chunk> chunks_;
  std::size_t chunkUsed_ = 0;  // of the last chunk
  std::vector<Stored> stored_;
  std::uint32_t intervals_ = 0;
  std::vector<std::vector<std::uint32_t>>
      starts_;  // [warp][interval]: index of its first instruction
  std::vector<std::vector<std::uint32_t>> owners_;  // [thread][slot]: element of C
  Features features_;
  const MmaRow* mma_ = nullptr;
};

}  // namespace tileloom::emulator
