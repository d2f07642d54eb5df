// SPDX-License-Identifier: GPL-3.0-or-later
// An observer that records one block: the same trace as of a rung's source (emulator/trace.h), of
// the instructions that the hardware executes.
//
//   launch.only = Extent3{0, 0, 0};
//   MachineRecorder recorder({&launch, buffers, roles});
//   const auto executed = execute(launch, buffers, {}, &recorder);
//   const emulator::Trace trace = recorder.take();
//
// A position along K is not an instruction: an access or a product belongs to the K tile of the
// first element that it has, and an instruction without elements to that of the one before. Atomic
// operations and local memory are not in the trace; local memory keeps the origins of what it
// holds.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/emulator/shared_words.h"
#include "kernels/emulator/trace.h"
#include "kernels/executor/launch.h"
#include "kernels/executor/observer.h"
#include "kernels/executor/recorded/lane_words.h"
#include "kernels/executor/recorded/origins.h"

namespace tileloom::executor::recorded {

struct RecordRequest {
  const Launch* launch = nullptr;
  std::span<const Buffer> buffers;  // with their addresses
  std::vector<Role> roles;          // at most one for each matrix
  std::uint32_t stepK = 0;          // elements of K per K tile; 0: not known
  bool operands = true;             // record the factors of every multiply-add
  std::uint32_t block = 0;          // its number in the grid, x first
};

class MachineRecorder : public Observer {
 public:
  explicit MachineRecorder(RecordRequest request);

  void begin(const BlockStart& start) override;
  void end(std::uint32_t block) override;
  bool follows() const override { return true; }
  void before(const Warp& warp, const Operation& o) override;
  void see(const Access& access) override;
  void see(const BarrierArrival& arrival) override;
  void see(const CopyStep& step) override;
  void seeBox(const BoxCopy& copy) override;
  void seeBulk(const BulkCopy& copy) override;
  void seeBarrier(const BarrierUse& use) override;
  void seeProduct(const GroupProduct& product) override;
  void seeMeeting(const ClusterMeeting& meeting) override;

  // The recording of the last block, once. Subject and problem are the caller's to set. Of a launch
  // that has failed: up to there, and empty if no block has begun.
  emulator::Trace take();
  const Known& known() const { return known_; }

 private:
  // What a warp has executed since the last barrier of the block.
  struct Stream {
    std::vector<emulator::Instruction> instructions;
    LaneWords words;
    std::uint32_t interval = 0;
    std::uint32_t kTile = emulator::kNoTile;
  };

  emulator::Instruction made(emulator::Kind kind, std::uint32_t number, std::uint32_t lanes) const;
  void place(emulator::Instruction& instruction, std::uint32_t tag) const;
  void flush(std::uint32_t warp);
  void beginTrace(std::uint32_t warps, std::uint32_t sharedBytes);
  // An instruction with these words for each lane that executes it.
  void add(emulator::Kind kind, const Issue& issue, std::initializer_list<std::uint32_t> words,
           std::uint32_t array = 0, std::uint32_t width = 0);
  std::uint32_t barrierAt(std::uint32_t place);
  emulator::BoxRecord boxOf(const BoxCopy& copy);
  void add(const Multiplied& multiplied, std::uint32_t warp, std::uint32_t number);

  RecordRequest request_;
  std::vector<std::uint16_t> lines_;          // by number of the instruction
  std::vector<std::uint32_t> arrayOfBuffer_;  // by number of the buffer
  std::vector<emulator::Array> arrays_;
  std::optional<Origins> origins_;
  const Operation* operation_ = nullptr;
  std::uint32_t lanes_ = 0, rank_ = 0;
  std::map<std::uint32_t, std::uint32_t> barriers_;  // numbers of mbarriers, by place
  std::vector<std::uint32_t> phases_;                // that have ended, of each
  Segments segments_{emulator::sharedWords()};
  std::vector<Stream> streams_;
  std::optional<emulator::Trace> trace_;
  bool ended_ = false;
  Known known_;
};

}  // namespace tileloom::executor::recorded
